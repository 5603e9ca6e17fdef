public import LosslessJSON

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

extension PushNotification: WireValue {
    /// Takes whatever JSON the courier brings. A push is a hint and nothing hangs on it, so what is foreign or
    /// malformed is passed over, and nothing is thrown.
    public init(json: JSONNode) throws(WireError) {
        let cloudKit = json["ck"]
        self.init(
            container: cloudKit?["cid"]?.string, notificationID: cloudKit?["nid"]?.string,
            userRecordName: cloudKit?["ckuserid"]?.string)
        zone = Target(hint: cloudKit?["fet"])
        database = Target(hint: cloudKit?["met"])
        query = Target(hint: cloudKit?["qry"])
    }

    /// Writes a silent push of format version 2.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("aps")
        json.beginObject()
        json.member("content-available", 1)
        json.endObject()
        json.key("ck")
        json.beginObject()
        json.member("ce", 2)
        json.member("cid", container)
        json.member("nid", notificationID)
        json.member("ckuserid", userRecordName)
        for (key, target) in [("fet", zone), ("met", database), ("qry", query)] {
            guard let target else { continue }
            json.key(key)
            target.write(to: &json)
        }
        json.endObject()
        json.endObject()
    }
}

extension PushNotification.Target {
    fileprivate init?(hint: JSONNode?) {
        guard let hint, hint.kind == .object else { return nil }
        self.init(
            subscriptionID: hint["sid"]?.string, zoneName: hint["zid"]?.string, zoneOwner: hint["zoid"]?.string,
            databaseScope: hint["dbs"]?.int64.flatMap { Int(exactly: $0) })
        recordName = hint["rid"]?.string
        firedOn = hint["fo"]?.int64.flatMap { Int(exactly: $0) }
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("sid", subscriptionID)
        json.member("zid", zoneName)
        json.member("zoid", zoneOwner)
        json.member("dbs", databaseScope)
        json.member("rid", recordName)
        json.member("fo", firedOn)
        json.endObject()
    }
}
