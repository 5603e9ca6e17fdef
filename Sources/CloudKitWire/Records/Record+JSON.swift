public import LosslessJSON
public import WireCoding

extension Record: WireValue {
    /// Takes a record dictionary or a tombstone.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            recordName: try json.string("recordName"), recordType: try json.string("recordType"),
            recordChangeTag: try json.string("recordChangeTag"), fields: try json.fields())
        created = try json.value("created")
        modified = try json.value("modified")
        deleted = try json.bool("deleted")
        zoneID = try json.value("zoneID")
        parent = try json.recordName(of: "parent")
        share = try json.value("share")
        sharing = try RecordSharing(record: json)
    }

    /// Writes the keys that are known, fields in the order of their names' bytes. `fields` is left out where there are
    /// none and the dictionary is a tombstone or only names a record.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("recordName", recordName)
        json.member("recordType", recordType)
        json.member("recordChangeTag", recordChangeTag)
        if !fields.isEmpty || recordType != nil && deleted != true {
            json.key("fields")
            json.beginObject()
            for (name, field) in fields.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                json.key(name)
                field.write(to: &json)
            }
            json.endObject()
        }
        json.member("created", created)
        json.member("modified", modified)
        json.member("deleted", deleted)
        json.member("zoneID", zoneID)
        json.member("parent", recordNamed: parent)
        json.member("share", share)
        sharing?.writeMembers(to: &json)
        json.endObject()
    }
}

extension ShareReference: WireValue {
    /// Takes `{recordName, zoneID?}`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(recordName: try json.requiredString("recordName"), zoneID: try json.value("zoneID"))
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("recordName", recordName)
        json.member("zoneID", zoneID)
        json.endObject()
    }
}

extension RecordStamp: WireValue {
    /// Takes `{timestamp, userRecordName?, deviceID?}`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        guard let timestamp = try json.int64("timestamp") else { throw .missing("timestamp") }
        self.init(
            timestamp: timestamp, userRecordName: try json.string("userRecordName"),
            deviceID: try json.string("deviceID"))
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("timestamp", timestamp)
        json.member("userRecordName", userRecordName)
        json.member("deviceID", deviceID)
        json.endObject()
    }
}

extension JSONNode {
    fileprivate func fields() throws(WireError) -> [String: Field] {
        guard let object = try object("fields") else { return [:] }
        var fields: [String: Field] = [:]
        fields.reserveCapacity(object.count)
        for member in object.members {
            let name = member.key
            let field: Field
            do { field = try Field(json: member.value) } catch { throw error.inside("fields: \(name)") }
            guard fields.updateValue(field, forKey: name) == nil else { throw .sameKeys(name).inside("fields") }
        }
        return fields
    }

    /// The record name in `{recordName, …}`.
    fileprivate func recordName(of key: String) throws(WireError) -> String? {
        guard let object = try object(key) else { return nil }
        do { return try object.requiredString("recordName") } catch { throw error.inside(key) }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ key: String, recordNamed name: String?) {
        guard let name else { return }
        self.key(key)
        beginObject()
        member("recordName", name)
        endObject()
    }
}
