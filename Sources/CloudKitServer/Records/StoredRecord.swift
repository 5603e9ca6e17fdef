import CloudKitWire
import GRDB
import LosslessJSON

/// The protocol's record; GRDB has a class of the same name.
typealias Record = CloudKitWire.Record

/// A record's row.
struct StoredRecord {
    var id: Int64
    var name: String
    /// `nil` in a tombstone.
    var type: String?
    var change: Int64
    /// JSON; `nil` in a tombstone.
    var fields: String?
    var size: Int
    var created: RecordStamp
    var modified: RecordStamp
    var parent: String?

    static let columns = """
        id, name, type, change, fields, size_bytes, created_at, created_by, modified_at, modified_by, parent
        """

    init(_ row: Row) {
        id = row[0]
        name = row[1]
        type = row[2]
        change = row[3]
        fields = row[4]
        size = row[5]
        created = Self.stamp(row[6], row[7])
        modified = Self.stamp(row[8], row[9])
        parent = row[10]
    }

    init(
        id: Int64, name: String, type: String?, change: Int64, fields: String?, size: Int, created: RecordStamp,
        modified: RecordStamp, parent: String?
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.change = change
        self.fields = fields
        self.size = size
        self.created = created
        self.modified = modified
        self.parent = parent
    }

    static func find(_ name: String, in zone: Int64, _ db: Database) throws -> Self? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM records WHERE zone_id = ? AND name = ?")
        return try Row.fetchOne(statement, arguments: [zone, name]).map(Self.init)
    }

    /// The record of a row; `nil` for one that is not there.
    static func find(id: Int64, _ db: Database) throws -> Self? {
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM records WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id]).map(Self.init)
    }

    /// What the record limit counts.
    static func size(of fields: [String: Field]) -> Int {
        fields.reduce(0) { $0 + $1.key.utf8.count + ($1.value.value?.countedBytes ?? 0) }
    }

    var isTombstone: Bool { fields == nil }

    /// The change in base 36, as short as the service's.
    var changeTag: String { String(change, radix: 36) }

    static func stamp(_ time: Int64, _ user: String) -> RecordStamp {
        RecordStamp(timestamp: time, userRecordName: user, deviceID: "2")
    }

    /// The fields' values, as they were stored.
    func decodedFields() throws -> [String: Field] {
        guard let fields else { return [:] }
        var decoded: [String: Field] = [:]
        for member in try JSONDocument(parsing: Array(fields.utf8)).root.members {
            decoded[member.key] = try Field(json: member.value)
        }
        return decoded
    }

    /// Fields as the column holds them, ordered by name.
    static func encoded(_ fields: [String: Field]) -> String {
        var json = JSONWriter()
        json.beginObject()
        for name in fields.keys.sorted() {
            json.key(name)
            fields[name]!.write(to: &json)
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// How a request wants its records.
struct RecordView {
    /// `nil`: all fields.
    var desiredKeys: [String]?
    var links: AssetLinks
    /// What the zone's records say about sharing; `nil` where nothing is shared.
    var sharing: ShareView?

    /// The record dictionary, or the tombstone's.
    func dictionary(of stored: StoredRecord) throws -> Record {
        guard !stored.isTombstone else {
            var tombstone = Record(recordName: stored.name)
            tombstone.deleted = true
            return tombstone
        }
        return try dictionary(of: stored, fields: stored.decodedFields())
    }

    /// The record dictionary, where its fields are decoded already.
    func dictionary(of stored: StoredRecord, fields: [String: Field]) throws -> Record {
        var record = Record(
            recordName: stored.name, recordType: stored.type, recordChangeTag: stored.changeTag, fields: fields)
        if let desiredKeys {
            let desired = Set(desiredKeys)
            record.fields = record.fields.filter { desired.contains($0.key) }
        }
        record.fields = record.fields.mapValues { field in
            var field = field
            field.value = field.value?.mapAssets { links.readable($0) }
            return field
        }
        record.created = stored.created
        record.modified = stored.modified
        record.parent = stored.parent
        record.deleted = false
        try sharing?.complete(&record, of: stored)
        return record
    }
}
