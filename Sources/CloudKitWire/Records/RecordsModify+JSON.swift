public import LosslessJSON
public import WireCoding

extension RecordOperation: WireValue {
    /// Takes `{operationType, record, desiredKeys?}`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        guard let kind = try json.name("operationType", Kind.self) else { throw .missing("operationType") }
        self.init(kind, try json.requiredValue("record"), desiredKeys: try json.strings("desiredKeys"))
    }

    /// Writes the operation with its record.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("operationType", kind.rawValue)
        json.member("record", record)
        json.member("desiredKeys", desiredKeys)
        json.endObject()
    }
}

extension RecordsModifyRequest: WireValue {
    /// Takes the body of `records/modify`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            operations: try json.values("operations"), zoneID: try json.value("zoneID"),
            atomic: try json.bool("atomic"))
        desiredKeys = try json.strings("desiredKeys")
        numbersAsStrings = try json.bool("numbersAsStrings")
    }

    /// Writes the body of `records/modify`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zoneID", zoneID)
        json.member("atomic", atomic)
        json.member("desiredKeys", desiredKeys)
        json.member("numbersAsStrings", numbersAsStrings)
        json.member("operations", list: operations)
        json.endObject()
    }
}

extension RecordsResponse: WireValue {
    /// Takes the answer.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(records: try json.values("records"))
        syncToken = try json.string("syncToken")
    }

    /// Writes the answer.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("records", list: records)
        json.member("syncToken", syncToken)
        json.endObject()
    }
}

extension RecordsLookupRequest: WireValue {
    /// Takes the body of `records/lookup`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            recordNames: try json.names("recordName", inEach: "records"), zoneID: try json.value("zoneID"),
            desiredKeys: try json.strings("desiredKeys"))
        for (index, record) in try json.list("records").enumerated() {
            do {
                if let keys = try record.strings("desiredKeys") { desiredKeysOfRecords[index] = keys }
            } catch {
                throw error.inside("records[\(index)]")
            }
        }
        numbersAsStrings = try json.bool("numbersAsStrings")
    }

    /// Writes the body of `records/lookup`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zoneID", zoneID)
        json.member("desiredKeys", desiredKeys)
        json.member("numbersAsStrings", numbersAsStrings)
        json.key("records")
        json.beginArray()
        for (index, name) in recordNames.enumerated() {
            json.beginObject()
            json.member("recordName", name)
            json.member("desiredKeys", desiredKeysOfRecords[index])
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }
}
