public import LosslessJSON
public import WireCoding

extension ErrorDictionary: WireValue {
    /// Takes an error dictionary; the spellings `redirectUrl` and `subscriptionId` were seen as well (protocol §5).
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            ServerErrorCode(rawValue: try json.requiredString("serverErrorCode")), reason: try json.string("reason"))
        uuid = try json.string("uuid")
        retryAfter = try json.double("retryAfter")
        redirectURL = try json.string("redirectURL")
        if redirectURL == nil { redirectURL = try json.string("redirectUrl") }
        recordName = try json.string("recordName")
        zoneID = try json.value("zoneID")
        subscriptionID = try json.string("subscriptionID")
        if subscriptionID == nil { subscriptionID = try json.string("subscriptionId") }
        // Records have a key of this name, too.
        if let given = json["shortGUID"], given.kind == .object || given.kind == .string {
            shortGUID = try json.shortGUID("shortGUID")
        }
    }

    /// Writes the keys that are known, the item's first.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("recordName", recordName)
        json.member("zoneID", zoneID)
        json.member("subscriptionID", subscriptionID)
        json.member("shortGUID", shortGUID)
        json.member("serverErrorCode", serverErrorCode.rawValue)
        json.member("reason", reason)
        json.member("uuid", uuid)
        json.member("retryAfter", retryAfter)
        json.member("redirectURL", redirectURL)
        json.endObject()
    }
}

extension ItemResult: WireValue where Item: WireValue {
    /// Takes an entry for an error where it has a `serverErrorCode`, never by position or missing keys
    /// (protocol §5).
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        if let code = json["serverErrorCode"], !code.isNull {
            self = .failure(try ErrorDictionary(json: json))
        } else {
            self = .success(try Item(json: json))
        }
    }

    /// Writes the result or the error.
    public func write(to json: inout JSONWriter) {
        switch self {
        case .success(let item): item.write(to: &json)
        case .failure(let error): error.write(to: &json)
        }
    }
}
