public import CloudKitWire

/// A subscription (protocol §3.8).
public struct Subscription: Hashable, Sendable {
    /// At most 255 characters; the server makes a UUID where absent.
    public var subscriptionID: String?
    /// `zone`, `query` or `database`.
    public var subscriptionType: String
    /// The watched zone.
    public var zoneID: ZoneID?
    /// Whether a query subscription watches all zones.
    public var zoneWide: Bool?
    /// `create`, `update`, `delete`; of query subscriptions.
    public var firesOn: [String]?
    /// Whether a query subscription is deleted after its first push.
    public var firesOnce: Bool?
    /// The query's JSON text, kept as it came.
    public var query: [UInt8]?
    /// How the push is delivered.
    public var notificationInfo: NotificationInfo?

    /// A subscription of one type.
    public init(subscriptionID: String?, subscriptionType: String, zoneID: ZoneID? = nil) {
        self.subscriptionID = subscriptionID
        self.subscriptionType = subscriptionType
        self.zoneID = zoneID
    }
}

/// How a push is delivered. A silent push has `shouldSendContentAvailable` and nothing else.
public struct NotificationInfo: Hashable, Sendable {
    /// Whether the push wakes its receiver in silence.
    public var shouldSendContentAvailable: Bool?
    /// Whether the push counts up the badge.
    public var shouldBadge: Bool?
    /// The text that is shown.
    public var alertBody: String?
    /// The key of a localized text that is shown instead.
    public var alertLocalizationKey: String?
    /// What goes into the localized text: names of the record's fields.
    public var alertLocalizationArgs: [String]?
    /// The key of the localized title of the alert's button.
    public var alertActionLocalizationKey: String?
    /// The image that is shown while the app starts.
    public var alertLaunchImage: String?
    /// The sound that is played.
    public var soundName: String?
    /// What the app can do with the push.
    public var category: String?
    /// Fields of the record whose values the push of a query subscription brings, at most three.
    public var additionalFields: [String]?
    /// Every other key with its JSON text, kept as it came.
    public var others: [String: [UInt8]] = [:]

    /// A push without alert, badge or sound.
    public static let silent = NotificationInfo(shouldSendContentAvailable: true)

    /// A push that is silent where asked so.
    public init(shouldSendContentAvailable: Bool? = nil) {
        self.shouldSendContentAvailable = shouldSendContentAvailable
    }
}

/// One operation of `subscriptions/modify`.
public struct SubscriptionOperation: Hashable, Sendable {
    /// Creating an existing subscription succeeds.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case create, update, delete
    }

    /// What to do.
    public var kind: Kind
    /// The subscription to save, or the ID of the one to delete.
    public var subscription: Subscription

    /// An operation on one subscription.
    public init(_ kind: Kind, _ subscription: Subscription) {
        self.kind = kind
        self.subscription = subscription
    }
}

/// The request of `subscriptions/modify`.
public struct SubscriptionsModifyRequest: Hashable, Sendable {
    /// In the order in which they are applied.
    public var operations: [SubscriptionOperation]

    /// Operations, each tried by itself.
    public init(operations: [SubscriptionOperation]) {
        self.operations = operations
    }
}

/// The request of `subscriptions/lookup`.
public struct SubscriptionsLookupRequest: Hashable, Sendable {
    /// The IDs, in the order of the answer.
    public var subscriptionIDs: [String]

    /// Asks for some subscriptions.
    public init(subscriptionIDs: [String]) {
        self.subscriptionIDs = subscriptionIDs
    }
}

/// The answer of `subscriptions/list`, `lookup` and `modify`. The acknowledgement of a delete has the ID alone,
/// which decodes with the empty ``Subscription/subscriptionType``.
public struct SubscriptionsResponse: Hashable, Sendable {
    /// One entry for each subscription.
    public var subscriptions: [ItemResult<Subscription>]

    /// Results in the order of the request.
    public init(subscriptions: [ItemResult<Subscription>]) {
        self.subscriptions = subscriptions
    }
}
