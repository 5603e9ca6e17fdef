public import LosslessJSON
public import WireCoding

extension RecordsQueryRequest: WireValue {
    /// Takes the body of `records/query`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(query: try json.requiredValue("query"), zoneID: try json.value("zoneID"))
        zoneWide = try json.bool("zoneWide")
        resultsLimit = try json.int("resultsLimit")
        continuationMarker = try json.string("continuationMarker")
        desiredKeys = try json.strings("desiredKeys")
        numbersAsStrings = try json.bool("numbersAsStrings")
    }

    /// Writes the body of `records/query`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zoneID", zoneID)
        json.member("zoneWide", zoneWide)
        json.member("query", query)
        json.member("resultsLimit", resultsLimit)
        json.member("continuationMarker", continuationMarker)
        json.member("desiredKeys", desiredKeys)
        json.member("numbersAsStrings", numbersAsStrings)
        json.endObject()
    }
}

extension RecordsQueryResponse: WireValue {
    /// Takes a page of records.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(records: try json.values("records"), continuationMarker: try json.string("continuationMarker"))
        syncToken = try json.string("syncToken")
    }

    /// Writes a page of records.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("records", list: records)
        json.member("continuationMarker", continuationMarker)
        json.member("syncToken", syncToken)
        json.endObject()
    }
}
