public import LosslessJSON
public import WireCoding

extension DatabaseChangesRequest: WireValue {
    /// Takes the body of `changes/database`; an empty token stays one, for the server to decide on.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(syncToken: try json.string("syncToken"), resultsLimit: try json.int("resultsLimit"))
    }

    /// Writes the body of `changes/database`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("syncToken", syncToken)
        json.member("resultsLimit", resultsLimit)
        json.endObject()
    }
}

extension ChangedZone: WireValue {
    /// Takes a zone that changed or is no more.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            zoneID: try json.requiredValue("zoneID"), syncToken: try json.string("syncToken"),
            deleted: try json.bool("deleted"))
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zoneID", zoneID)
        json.member("syncToken", syncToken)
        json.member("deleted", deleted)
        json.endObject()
    }
}

extension DatabaseChangesResponse: WireValue {
    /// Takes the answer of `changes/database`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            zones: try json.values("zones"), syncToken: try json.requiredString("syncToken"),
            moreComing: try json.bool("moreComing") ?? false)
    }

    /// Writes the answer of `changes/database`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zones", list: zones)
        json.member("syncToken", syncToken)
        json.member("moreComing", moreComing)
        json.endObject()
    }
}
