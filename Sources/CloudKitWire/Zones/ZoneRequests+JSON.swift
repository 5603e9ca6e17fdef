public import LosslessJSON
public import WireCoding

extension ZoneID: WireValue {
    /// Takes a zone ID; without a name it is the default zone's.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            zoneName: try json.string("zoneName") ?? Self.defaultZoneName,
            ownerRecordName: try json.string("ownerRecordName"), zoneType: try json.string("zoneType"))
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zoneName", zoneName)
        json.member("ownerRecordName", ownerRecordName)
        json.member("zoneType", zoneType)
        json.endObject()
    }
}

extension Zone: WireValue {
    /// Takes a zone dictionary, or the acknowledgement of a delete.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            zoneID: try json.requiredValue("zoneID"), syncToken: try json.string("syncToken"),
            atomic: try json.bool("atomic"), deleted: try json.bool("deleted"))
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zoneID", zoneID)
        json.member("syncToken", syncToken)
        json.member("atomic", atomic)
        json.member("deleted", deleted)
        json.endObject()
    }
}

extension ZonesResponse: WireValue {
    /// Takes an answer that lists zones.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(zones: try json.values("zones"))
    }

    /// Writes an answer that lists zones.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zones", list: zones)
        json.endObject()
    }
}

extension ZonesLookupRequest: WireValue {
    /// Takes a list of zone IDs. An entry `{"zoneID": …}`, as the other requests have it, is taken as well: read as
    /// a zone ID it would mean the default zone.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        var zones: [ZoneID] = []
        for element in try json.list("zones") {
            do {
                try element.requireObject()
                if let nested: ZoneID = try element.value("zoneID") {
                    zones.append(nested)
                } else {
                    zones.append(try ZoneID(json: element))
                }
            } catch {
                throw error.inside("zones[\(zones.count)]")
            }
        }
        self.init(zones: zones)
    }

    /// Writes a list of zone IDs.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zones", list: zones)
        json.endObject()
    }
}

extension ZoneOperation: WireValue {
    /// Takes `{operationType, zone: {zoneID}}`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        guard let kind = try json.name("operationType", Kind.self) else { throw .missing("operationType") }
        let zone: Zone = try json.requiredValue("zone")
        self.init(kind, zone.zoneID)
    }

    /// Writes the operation.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("operationType", kind.rawValue)
        json.member("zone", Zone(zoneID: zoneID))
        json.endObject()
    }
}

extension ZonesModifyRequest: WireValue {
    /// Takes the body of `zones/modify`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(operations: try json.values("operations"))
    }

    /// Writes the body of `zones/modify`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("operations", list: operations)
        json.endObject()
    }
}
