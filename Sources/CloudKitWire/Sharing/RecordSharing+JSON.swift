public import LosslessJSON
public import WireCoding

extension RecordSharing {
    /// Takes the keys about sharing out of a record dictionary; `nil` where it has none.
    init?(record json: JSONNode) throws(WireError) {
        self.init()
        createShortGUID = try json.bool("createShortGUID")
        shortGUID = try json.string("shortGUID")
        if shortGUID == nil { shortGUID = try json.object("stableUrl")?.string("shortGUID") }
        forRecord = try json.value("forRecord")
        publicPermission = try json.openName("publicPermission", else: .unknown)
        if let participants = json["participants"], !participants.isNull {
            self.participants = try json.values("participants")
        }
        owner = try json.value("owner")
        currentUserParticipant = try json.value("currentUserParticipant")
        guard self != Self() else { return nil }
    }

    /// Writes the keys that are known into an object that is open.
    func writeMembers(to json: inout JSONWriter) {
        json.member("createShortGUID", createShortGUID)
        json.member("shortGUID", shortGUID)
        json.member("forRecord", forRecord)
        json.member("publicPermission", publicPermission?.rawValue)
        if let participants { json.member("participants", list: participants) }
        json.member("owner", owner)
        json.member("currentUserParticipant", currentUserParticipant)
    }
}

extension SharedRoot: WireValue {
    /// Takes `{recordName, recordChangeTag?}`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            recordName: try json.requiredString("recordName"), recordChangeTag: try json.string("recordChangeTag"))
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("recordName", recordName)
        json.member("recordChangeTag", recordChangeTag)
        json.endObject()
    }
}

extension ShareParticipant: WireValue {
    /// Takes `{participantId?, userIdentity?, type?, acceptanceStatus?, permission?}`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init()
        participantID = try json.string("participantId")
        if let identity = try json.object("userIdentity") {
            do {
                userRecordName = try identity.string("userRecordName")
                lookupInfo = try identity.value("lookupInfo")
                (givenName, familyName) = try identity.nameComponents()
            } catch {
                throw error.inside("userIdentity")
            }
        }
        kind = try json.openName("type", else: .unknown)
        acceptance = try json.openName("acceptanceStatus", else: .unknown)
        permission = try json.openName("permission", else: .unknown)
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("participantId", participantID)
        json.key("userIdentity")
        json.beginObject()
        json.member("userRecordName", userRecordName)
        json.nameComponents(given: givenName, family: familyName)
        json.member("lookupInfo", lookupInfo)
        json.endObject()
        json.member("type", kind?.rawValue)
        json.member("acceptanceStatus", acceptance?.rawValue)
        json.member("permission", permission?.rawValue)
        json.endObject()
    }
}
