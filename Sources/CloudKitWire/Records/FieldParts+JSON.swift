public import LosslessJSON
public import WireCoding

extension Reference: WireValue {
    /// Takes `{recordName, zoneID?, action?}`; an absent action is `NONE`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            recordName: try json.requiredString("recordName"), zoneID: try json.value("zoneID"),
            action: try json.name("action") ?? .none)
    }

    /// Writes the reference with its action.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("recordName", recordName)
        json.member("zoneID", zoneID)
        json.member("action", action.rawValue)
        json.endObject()
    }
}

extension Location: WireValue {
    /// Takes a location dictionary; its two coordinates are required.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        guard let latitude = try json.double("latitude") else { throw .missing("latitude") }
        guard let longitude = try json.double("longitude") else { throw .missing("longitude") }
        self.init(latitude: latitude, longitude: longitude)
        altitude = try json.double("altitude")
        horizontalAccuracy = try json.double("horizontalAccuracy")
        verticalAccuracy = try json.double("verticalAccuracy")
        speed = try json.double("speed")
        course = try json.double("course")
        timestamp = try json.int64("timestamp")
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("latitude", latitude)
        json.member("longitude", longitude)
        json.member("altitude", altitude)
        json.member("horizontalAccuracy", horizontalAccuracy)
        json.member("verticalAccuracy", verticalAccuracy)
        json.member("speed", speed)
        json.member("course", course)
        json.member("timestamp", timestamp)
        json.endObject()
    }
}

extension Asset: WireValue {
    /// Takes an asset dictionary; keys that are not known here are kept, because the dictionary of an upload has to
    /// be handed on whole (protocol §3.10, step 2).
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            fileChecksum: try json.string("fileChecksum"), size: try json.int64("size"),
            receipt: try json.string("receipt"), wrappingKey: try json.string("wrappingKey"),
            referenceChecksum: try json.string("referenceChecksum"), downloadURL: try json.string("downloadURL"))
        for member in json.members {
            let key = member.key
            switch key {
            case "fileChecksum", "size", "receipt", "wrappingKey", "referenceChecksum", "downloadURL": continue
            default:
                guard others.updateValue(Array(member.value.text), forKey: key) == nil else { throw .sameKeys(key) }
            }
        }
    }

    /// Writes the keys that are known, then the others.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("fileChecksum", fileChecksum)
        json.member("size", size)
        json.member("receipt", receipt)
        json.member("wrappingKey", wrappingKey)
        json.member("referenceChecksum", referenceChecksum)
        json.member("downloadURL", downloadURL)
        json.members(others)
        json.endObject()
    }
}
