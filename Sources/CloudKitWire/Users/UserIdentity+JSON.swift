public import LosslessJSON
public import WireCoding

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
        (givenName, familyName) = try json.nameComponents()
    }

    /// Writes the bare identity.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("userRecordName", userRecordName)
        json.nameComponents(given: givenName, family: familyName)
        json.member("lookupInfo", lookupInfo)
        json.endObject()
    }
}

extension JSONNode {
    /// A person's given name and family name, as far as they are told.
    func nameComponents() throws(WireError) -> (given: String?, family: String?) {
        guard let name = try object("nameComponents") else { return (nil, nil) }
        do {
            return (try name.string("givenName"), try name.string("familyName"))
        } catch {
            throw error.inside("nameComponents")
        }
    }
}

extension JSONWriter {
    /// Writes nothing where neither name is known.
    mutating func nameComponents(given: String?, family: String?) {
        guard given != nil || family != nil else { return }
        key("nameComponents")
        beginObject()
        member("givenName", given)
        member("familyName", family)
        endObject()
    }
}
