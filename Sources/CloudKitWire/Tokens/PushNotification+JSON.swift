public import LosslessJSON
public import WireCoding

extension PushNotification: WireValue {
    /// Takes whatever JSON the courier brings. A push is a hint and nothing hangs on it, so what is foreign or
    /// malformed is passed over, and nothing is thrown.
    public init(json: JSONNode) throws(WireError) {
        let cloudKit = json["ck"]
        self.init(
            container: cloudKit?["cid"]?.string, notificationID: cloudKit?["nid"]?.string,
            userRecordName: cloudKit?["ckuserid"]?.string)
        isPruned = cloudKit?["p"].map { $0.bool == true || $0.int64 == 1 } ?? false
        zone = Target(hint: cloudKit?["fet"])
        database = Target(hint: cloudKit?["met"])
        query = Target(hint: cloudKit?["qry"])
        let apple = json["aps"]
        alert = Alert(hint: apple?["alert"])
        badge = apple?["badge"]?.int64.flatMap { Int(exactly: $0) }
        sound = apple?["sound"]?.string
        category = apple?["category"]?.string
        isContentAvailable = apple?["content-available"]?.int64 == 1
    }

    /// Writes a push of format version 2.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("aps")
        json.beginObject()
        if let alert {
            json.key("alert")
            alert.write(to: &json)
        }
        json.member("badge", badge)
        json.member("sound", sound)
        json.member("category", category)
        if isContentAvailable { json.member("content-available", 1) }
        json.endObject()
        json.key("ck")
        json.beginObject()
        json.member("ce", 2)
        json.member("cid", container)
        json.member("nid", notificationID)
        json.member("ckuserid", userRecordName)
        if isPruned { json.member("p", 1) }
        for (key, target) in [("fet", zone), ("met", database), ("qry", query)] {
            guard let target else { continue }
            json.key(key)
            target.write(to: &json)
        }
        json.endObject()
        json.endObject()
    }
}

extension PushNotification.Alert {
    fileprivate init?(hint: JSONNode?) {
        guard let hint else { return nil }
        self.init(body: hint.string ?? hint["body"]?.string)
        localizationKey = hint["loc-key"]?.string
        localizationArgs = hint["loc-args"].flatMap { $0.kind == .array ? $0.elements.compactMap(\.string) : nil }
        actionLocalizationKey = hint["action-loc-key"]?.string
        launchImage = hint["launch-image"]?.string
        if self == Self() { return nil }
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("body", body)
        json.member("loc-key", localizationKey)
        json.member("loc-args", localizationArgs)
        json.member("action-loc-key", actionLocalizationKey)
        json.member("launch-image", launchImage)
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
        guard let fields = hint["af"], fields.kind == .object else { return }
        for field in fields.members { additionalFields[field.key] = Array(field.value.text) }
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("sid", subscriptionID)
        json.member("zid", zoneName)
        json.member("zoid", zoneOwner)
        json.member("dbs", databaseScope)
        json.member("rid", recordName)
        json.member("fo", firedOn)
        if !additionalFields.isEmpty {
            json.key("af")
            json.beginObject()
            json.members(additionalFields)
            json.endObject()
        }
        json.endObject()
    }
}
