public import LosslessJSON
public import WireCoding

extension ZoneChangesQuery: WireValue {
    /// Takes one zone's part; an empty token stays one, for the server to decide on.
    public init(json: JSONNode) throws(WireError) {
        try self.init(json: json, defaults: nil)
    }

    /// Takes one zone's part, with the request's top level for what it leaves out.
    init(json: JSONNode, defaults: JSONNode?) throws(WireError) {
        try json.requireObject()
        self.init(zoneID: try json.requiredValue("zoneID"))
        for source in [json, defaults] {
            guard let source else { continue }
            if syncToken == nil { syncToken = try source.string("syncToken") }
            if resultsLimit == nil { resultsLimit = try source.int("resultsLimit") }
            if desiredKeys == nil { desiredKeys = try source.strings("desiredKeys") }
            if desiredRecordTypes == nil { desiredRecordTypes = try source.strings("desiredRecordTypes") }
            if reverse == nil { reverse = try source.bool("reverse") }
            if numbersAsStrings == nil { numbersAsStrings = try source.bool("numbersAsStrings") }
            // Apple's page on this request spells the key without its first `s`, the others with it (protocol §3.5).
            if numbersAsStrings == nil { numbersAsStrings = try source.bool("numberAsStrings") }
        }
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zoneID", zoneID)
        json.member("syncToken", syncToken)
        json.member("resultsLimit", resultsLimit)
        json.member("desiredKeys", desiredKeys)
        json.member("desiredRecordTypes", desiredRecordTypes)
        json.member("reverse", reverse)
        json.member("numbersAsStrings", numbersAsStrings)
        json.endObject()
    }
}

extension ZoneChangesRequest: WireValue {
    /// Takes the body of `changes/zone`. The top level's keys are filled in where a zone has none.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        var zones: [ZoneChangesQuery] = []
        for element in try json.list("zones") {
            do {
                zones.append(try ZoneChangesQuery(json: element, defaults: json))
            } catch {
                throw error.inside("zones[\(zones.count)]")
            }
        }
        self.init(zones: zones)
    }

    /// Writes the body of `changes/zone`, each zone with all of its keys.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zones", list: zones)
        json.endObject()
    }
}

extension ZoneChanges: WireValue {
    /// Takes one zone's page.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            zoneID: try json.requiredValue("zoneID"), syncToken: try json.requiredString("syncToken"),
            moreComing: try json.bool("moreComing") ?? false, records: try json.values("records"))
    }

    /// Writes one zone's page.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zoneID", zoneID)
        json.member("syncToken", syncToken)
        json.member("moreComing", moreComing)
        json.member("records", list: records)
        json.endObject()
    }
}

extension ZoneChangesResponse: WireValue {
    /// Takes the answer of `changes/zone`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(zones: try json.values("zones"))
    }

    /// Writes the answer of `changes/zone`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zones", list: zones)
        json.endObject()
    }
}
