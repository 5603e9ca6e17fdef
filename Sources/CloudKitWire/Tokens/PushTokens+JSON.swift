public import LosslessJSON
public import WireCoding

extension PushTokenRequest: WireValue {
    /// Takes the body of `tokens/create` or `tokens/register`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            apnsEnvironment: try json.requiredString("apnsEnvironment"), apnsToken: try json.string("apnsToken"),
            clientId: try json.string("clientId"))
    }

    /// Writes the body of `tokens/create` or `tokens/register`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("apnsEnvironment", apnsEnvironment)
        json.member("apnsToken", apnsToken)
        json.member("clientId", clientId)
        json.endObject()
    }
}

extension PushTokenResponse: WireValue {
    /// Takes the answer of `tokens/create` or `tokens/register`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            apnsEnvironment: try json.requiredString("apnsEnvironment"),
            apnsToken: try json.requiredString("apnsToken"),
            webcourierURL: try json.requiredString("webcourierURL"))
    }

    /// Writes the answer of `tokens/create` or `tokens/register`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("apnsEnvironment", apnsEnvironment)
        json.member("apnsToken", apnsToken)
        json.member("webcourierURL", webcourierURL)
        json.endObject()
    }
}
