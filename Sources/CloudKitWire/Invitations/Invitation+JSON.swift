public import LosslessJSON
public import WireCoding

extension InvitationRequest: WireValue {
    /// Takes `{secret}`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(secret: try json.requiredString("secret"))
    }

    /// Writes `{secret}`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("secret", secret)
        json.endObject()
    }
}

extension InvitedAccount: WireValue {
    /// Takes an object with every value under its own name.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            container: try json.requiredString("container"), environment: try json.requiredString("environment"),
            zone: try json.requiredString("zone"), userName: try json.requiredString("userName"),
            userRecordName: try json.requiredString("userRecordName"), apiToken: try json.requiredString("apiToken"),
            webAuthToken: try json.requiredString("webAuthToken"))
    }

    /// Writes an object with every value under its own name.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("container", container)
        json.member("environment", environment)
        json.member("zone", zone)
        json.member("userName", userName)
        json.member("userRecordName", userRecordName)
        json.member("apiToken", apiToken)
        json.member("webAuthToken", webAuthToken)
        json.endObject()
    }
}

extension InvitationRefusal: WireValue {
    /// Takes `{reason}`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        let text = try json.requiredString("reason")
        guard let refusal = Self(rawValue: text) else {
            throw .wrongType("reason", expected: "unknown, used or expired")
        }
        self = refusal
    }

    /// Writes `{reason}`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("reason", rawValue)
        json.endObject()
    }
}
