import LosslessJSON

/// What an upload URL and a receipt are made of: who may store which asset in which field, and until when.
///
/// The client carries it, signed by the server; the server keeps nothing about uploads under way.
struct AssetTicket: Hashable, Sendable {
    /// The zone's row: with it container, environment and user.
    var zone: Int64
    /// `nil`: any record and field of the zone, as after `assets/rereference`.
    var target: Target?
    /// `nil` in an upload URL.
    var content: Content?
    /// Seconds since 1970, UTC.
    var expiry: Int64
    /// Of the public database, whose assets have no keys (protocol §10.12).
    var isPublic = false
    /// In an upload URL, whoever asked for it: the row of a person or a key; `nil` where they have no account.
    var sender: Int64?

    struct Target: Hashable, Sendable {
        var record: String
        var field: String
        /// Whether the server made the record's name up, for a client that had none.
        var isNamedHere = false

        /// Whether the asset may go into a record's field. A client that named no record when it asked for the URL may do
        /// so again when it saves, as CloudKit JS does; the record then gets another name than the one made up here.
        /// - Parameter record: `nil` for a record that the request leaves unnamed.
        func admits(_ record: String?, _ field: String) -> Bool {
            guard self.field.utf8.elementsEqual(field.utf8) else { return false }
            return record.map { $0.utf8.elementsEqual(self.record.utf8) } ?? isNamedHere
        }
    }

    struct Content: Hashable, Sendable {
        var sha256: [UInt8]
        var size: Int64
    }

    /// As JSON, sealed.
    func text(_ key: ServerKey) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.key("zone")
        json.int64(zone)
        json.key("expiry")
        json.int64(expiry)
        if isPublic {
            json.key("public")
            json.bool(true)
        }
        if let target {
            json.key("record")
            json.string(target.record)
            json.key("field")
            json.string(target.field)
            if target.isNamedHere {
                json.key("unnamed")
                json.bool(true)
            }
        }
        if let sender {
            json.key("sender")
            json.int64(sender)
        }
        if let content {
            json.key("sha256")
            json.string(hex(content.sha256))
            json.key("size")
            json.int64(content.size)
        }
        json.endObject()
        return key.seal(json.bytes, for: content == nil ? .upload : .receipt)
    }

    /// Reads a ticket that is not expired.
    init?(_ text: String, for purpose: ServerKey.Purpose, now: Int64, _ key: ServerKey) {
        guard let bytes = key.open(text, for: purpose), let root = try? JSONDocument(parsing: bytes).root,
            let zone = root["zone"]?.int64, let expiry = root["expiry"]?.int64, expiry > now / 1000
        else { return nil }
        self.zone = zone
        self.expiry = expiry
        isPublic = root["public"]?.bool ?? false
        sender = root["sender"]?.int64
        if let record = root["record"]?.string, let field = root["field"]?.string {
            target = Target(record: record, field: field, isNamedHere: root["unnamed"]?.bool ?? false)
        }
        if let sha256 = root["sha256"]?.string.flatMap({ CloudKitServer.bytes(hex: $0) }),
            let size = root["size"]?.int64
        {
            content = Content(sha256: sha256, size: size)
        }
    }

    init(
        zone: Int64, target: Target?, content: Content?, expiry: Int64, isPublic: Bool, sender: Int64? = nil
    ) {
        self.isPublic = isPublic
        self.sender = sender
        self.zone = zone
        self.target = target
        self.content = content
        self.expiry = expiry
    }
}
