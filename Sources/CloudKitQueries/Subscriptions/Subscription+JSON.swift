public import LosslessJSON
public import WireCoding

extension Subscription: WireValue {
    /// Takes a subscription, or the acknowledgement of a delete, which has the ID alone.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            subscriptionID: try json.string("subscriptionID"),
            subscriptionType: try json.string("subscriptionType") ?? "", zoneID: try json.value("zoneID"))
        zoneWide = try json.bool("zoneWide")
        firesOn = try json.strings("firesOn")
        firesOnce = try json.bool("firesOnce")
        query = try json.object("query").map { Array($0.text) }
        notificationInfo = try json.value("notificationInfo")
    }

    /// Writes the keys that are known; no type where it is empty.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("subscriptionID", subscriptionID)
        if !subscriptionType.isEmpty { json.member("subscriptionType", subscriptionType) }
        json.member("zoneID", zoneID)
        json.member("zoneWide", zoneWide)
        json.member("firesOn", firesOn)
        json.member("firesOnce", firesOnce)
        if let query {
            json.key("query")
            json.raw(query)
        }
        json.member("notificationInfo", notificationInfo)
        json.endObject()
    }
}

extension NotificationInfo: WireValue {
    /// Takes a notification info; keys that are not known here are kept.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(shouldSendContentAvailable: try json.bool("shouldSendContentAvailable"))
        shouldBadge = try json.bool("shouldBadge")
        alertBody = try json.string("alertBody")
        alertLocalizationKey = try json.string("alertLocalizationKey")
        alertLocalizationArgs = try json.strings("alertLocalizationArgs")
        alertActionLocalizationKey = try json.string("alertActionLocalizationKey")
        alertLaunchImage = try json.string("alertLaunchImage")
        soundName = try json.string("soundName")
        category = try json.string("category")
        additionalFields = try json.strings("additionalFields")
        for member in json.members where !Self.known.contains(member.key) {
            let key = member.key
            guard others.updateValue(Array(member.value.text), forKey: key) == nil else { throw .sameKeys(key) }
        }
    }

    /// Writes the keys that are known, then the others.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("shouldSendContentAvailable", shouldSendContentAvailable)
        json.member("shouldBadge", shouldBadge)
        json.member("alertBody", alertBody)
        json.member("alertLocalizationKey", alertLocalizationKey)
        json.member("alertLocalizationArgs", alertLocalizationArgs)
        json.member("alertActionLocalizationKey", alertActionLocalizationKey)
        json.member("alertLaunchImage", alertLaunchImage)
        json.member("soundName", soundName)
        json.member("category", category)
        json.member("additionalFields", additionalFields)
        json.members(others)
        json.endObject()
    }

    private static let known: Set<String> = [
        "shouldSendContentAvailable", "shouldBadge", "alertBody", "alertLocalizationKey", "alertLocalizationArgs",
        "alertActionLocalizationKey", "alertLaunchImage", "soundName", "category", "additionalFields",
    ]
}

extension SubscriptionOperation: WireValue {
    /// Takes `{operationType, subscription}`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        guard let kind = try json.name("operationType", Kind.self) else { throw .missing("operationType") }
        self.init(kind, try json.requiredValue("subscription"))
    }

    /// Writes the operation.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("operationType", kind.rawValue)
        json.member("subscription", subscription)
        json.endObject()
    }
}

extension SubscriptionsModifyRequest: WireValue {
    /// Takes the body of `subscriptions/modify`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(operations: try json.values("operations"))
    }

    /// Writes the body of `subscriptions/modify`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("operations", list: operations)
        json.endObject()
    }
}

extension SubscriptionsLookupRequest: WireValue {
    /// Takes the body of `subscriptions/lookup`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(subscriptionIDs: try json.names("subscriptionID", inEach: "subscriptions"))
    }

    /// Writes the body of `subscriptions/lookup`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("subscriptions", names: subscriptionIDs, as: "subscriptionID")
        json.endObject()
    }
}

extension SubscriptionsResponse: WireValue {
    /// Takes an answer that lists subscriptions.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(subscriptions: try json.values("subscriptions"))
    }

    /// Writes an answer that lists subscriptions.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("subscriptions", list: subscriptions)
        json.endObject()
    }
}
