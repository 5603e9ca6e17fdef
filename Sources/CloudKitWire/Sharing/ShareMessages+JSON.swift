public import LosslessJSON
public import WireCoding

extension SharesRequest: WireValue {
    /// Takes the body of `records/resolve` or `records/accept`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(shortGUIDs: try json.values("shortGUIDs"))
    }

    /// Writes the body of `records/resolve` or `records/accept`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("shortGUIDs", list: shortGUIDs)
        json.endObject()
    }
}

extension ShortGUID: WireValue {
    /// Takes `{value, shouldFetchRootRecord?, rootRecordDesiredKeys?}`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            try json.requiredString("value"), shouldFetchRootRecord: try json.bool("shouldFetchRootRecord"),
            rootRecordDesiredKeys: try json.strings("rootRecordDesiredKeys"))
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("value", value)
        json.member("shouldFetchRootRecord", shouldFetchRootRecord)
        json.member("rootRecordDesiredKeys", rootRecordDesiredKeys)
        json.endObject()
    }
}

extension SharesResponse: WireValue {
    /// Takes the answer of `records/resolve` or `records/accept`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(results: try json.values("results"))
    }

    /// Writes the answer of `records/resolve` or `records/accept`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("results", list: results)
        json.endObject()
    }
}

extension ShareMetadata: WireValue {
    /// Takes one result.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            shortGUID: try json.shortGUID("shortGUID"), container: try json.requiredString("containerIdentifier"),
            environment: try json.requiredString("environment"),
            databaseScope: try json.requiredString("databaseScope"), zoneID: try json.requiredValue("zoneID"))
        rootRecordName = try json.string("rootRecordName")
        rootRecord = try json.value("rootRecord")
        share = try json.value("share")
        ownerIdentity = try json.value("ownerIdentity")
        participantStatus = try json.openName("participantStatus", else: .unknown)
        participantPermission = try json.openName("participantPermission", else: .unknown)
        participantType = try json.openName("participantType", else: .unknown)
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("shortGUID", shortGUID)
        json.member("containerIdentifier", containerIdentifier)
        json.member("environment", environment)
        json.member("databaseScope", databaseScope)
        json.member("zoneID", zoneID)
        json.member("rootRecordName", rootRecordName)
        json.member("rootRecord", rootRecord)
        json.member("share", share)
        json.member("ownerIdentity", ownerIdentity)
        json.member("participantStatus", participantStatus?.rawValue)
        json.member("participantPermission", participantPermission?.rawValue)
        json.member("participantType", participantType?.rawValue)
        json.endObject()
    }
}

extension JSONNode {
    /// A short GUID, as a dictionary or bare: both were seen.
    func shortGUID(_ key: String) throws(WireError) -> ShortGUID {
        if let bare = self[key]?.string { return ShortGUID(bare) }
        return try requiredValue(key)
    }
}
