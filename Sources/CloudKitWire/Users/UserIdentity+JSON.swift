public import LosslessJSON

extension UserIdentity: WireValue {
    /// Takes an identity, bare or as the first of `{users: […]}`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        if let users = json["users"], !users.isNull {
            guard let first = try json.list("users").first(where: { _ in true }) else {
                throw .wrongType("users", expected: "a list of one user")
            }
            do { self = try Self(identity: first) } catch { throw error.inside("users[0]") }
        } else {
            self = try Self(identity: json)
        }
    }

    private init(identity json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(userRecordName: try json.requiredString("userRecordName"))
        // The caller's own identity has it, with nothing in it.
        let lookupInfo = try json.value("lookupInfo", UserLookupInfo.self)
        self.lookupInfo = lookupInfo == UserLookupInfo() ? nil : lookupInfo
        guard let name = try json.object("nameComponents") else { return }
        do {
            givenName = try name.string("givenName")
            familyName = try name.string("familyName")
        } catch {
            throw error.inside("nameComponents")
        }
    }

    /// Writes the bare identity.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("userRecordName", userRecordName)
        if givenName != nil || familyName != nil {
            json.key("nameComponents")
            json.beginObject()
            json.member("givenName", givenName)
            json.member("familyName", familyName)
            json.endObject()
        }
        json.member("lookupInfo", lookupInfo)
        json.endObject()
    }
}
