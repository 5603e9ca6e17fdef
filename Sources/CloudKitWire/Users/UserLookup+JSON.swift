public import LosslessJSON
public import WireCoding

extension UserLookupInfo: WireValue {
    /// Takes `{emailAddress | phoneNumber | userRecordName}`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            emailAddress: try json.string("emailAddress"), phoneNumber: try json.string("phoneNumber"),
            userRecordName: try json.string("userRecordName"))
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("emailAddress", emailAddress)
        json.member("phoneNumber", phoneNumber)
        json.member("userRecordName", userRecordName)
        json.endObject()
    }
}

extension UsersDiscoverRequest: WireValue {
    /// Takes the body of `users/discover`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(lookupInfos: try json.values("lookupInfos"))
    }

    /// Writes the body of `users/discover`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("lookupInfos", list: lookupInfos)
        json.endObject()
    }
}

extension UsersDiscoverResponse: WireValue {
    /// Takes the answer of `users/discover`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(users: try json.values("users"))
    }

    /// Writes the answer of `users/discover`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("users", list: users)
        json.endObject()
    }
}

extension User: WireValue {
    /// Takes a user.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            userRecordName: try json.requiredString("userRecordName"), firstName: try json.string("firstName"),
            lastName: try json.string("lastName"), emailAddress: try json.string("emailAddress"))
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("userRecordName", userRecordName)
        json.member("firstName", firstName)
        json.member("lastName", lastName)
        json.member("emailAddress", emailAddress)
        json.endObject()
    }
}

extension UsersLookupRequest: WireValue {
    /// Takes the body of `users/lookup/email` or `users/lookup/id`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(users: try json.values("users"))
    }

    /// Writes the body of `users/lookup/email` or `users/lookup/id`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("users", list: users)
        json.endObject()
    }
}

extension UsersLookupResponse: WireValue {
    /// Takes the answer of `users/lookup/…`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(users: try json.values("users"))
    }

    /// Writes the answer of `users/lookup/…`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("users", list: users)
        json.endObject()
    }
}
