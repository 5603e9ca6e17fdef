/// What is asked of a server: CloudKit's operations, and the three requests that go elsewhere.
public struct CloudKitOperation: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The operation's path, such as `records/modify`.
    public var rawValue: String

    /// Takes an operation's path.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The operation's path.
    public var description: String { rawValue }

    /// Who is signed in.
    public static let usersCaller = Self(rawValue: "users/caller")
    /// Every zone.
    public static let zonesList = Self(rawValue: "zones/list")
    /// Some zones.
    public static let zonesLookup = Self(rawValue: "zones/lookup")
    /// Creates and deletes zones.
    public static let zonesModify = Self(rawValue: "zones/modify")
    /// Saves and deletes records.
    public static let recordsModify = Self(rawValue: "records/modify")
    /// Records by name.
    public static let recordsLookup = Self(rawValue: "records/lookup")
    /// Records that a query finds.
    public static let recordsQuery = Self(rawValue: "records/query")
    /// What short GUIDs of shares stand for.
    public static let recordsResolve = Self(rawValue: "records/resolve")
    /// Takes part in shares.
    public static let recordsAccept = Self(rawValue: "records/accept")
    /// Zones that changed.
    public static let databaseChanges = Self(rawValue: "changes/database")
    /// Records that changed.
    public static let zoneChanges = Self(rawValue: "changes/zone")
    /// Every subscription.
    public static let subscriptionsList = Self(rawValue: "subscriptions/list")
    /// Some subscriptions.
    public static let subscriptionsLookup = Self(rawValue: "subscriptions/lookup")
    /// Creates, updates and deletes subscriptions.
    public static let subscriptionsModify = Self(rawValue: "subscriptions/modify")
    /// URLs to send assets to.
    public static let assetsUpload = Self(rawValue: "assets/upload")
    /// Receipts for stored assets.
    public static let assetsRereference = Self(rawValue: "assets/rereference")
    /// A new push token.
    public static let tokensCreate = Self(rawValue: "tokens/create")
    /// Another container for a push token.
    public static let tokensRegister = Self(rawValue: "tokens/register")
    /// The POST of an asset's bytes to the content host.
    public static let uploadAsset = Self(rawValue: "asset upload")
    /// The GET of an asset's bytes from the content host.
    public static let downloadAsset = Self(rawValue: "asset download")
    /// The long poll for pushes.
    public static let pollCourier = Self(rawValue: "courier poll")

    /// Every operation that has a name here.
    public static let all: [Self] = [
        .usersCaller, .zonesList, .zonesLookup, .zonesModify, .recordsModify, .recordsLookup, .recordsQuery,
        .recordsResolve, .recordsAccept, .databaseChanges, .zoneChanges, .subscriptionsList, .subscriptionsLookup,
        .subscriptionsModify, .assetsUpload,
        .assetsRereference, .tokensCreate, .tokensRegister, .uploadAsset, .downloadAsset, .pollCourier,
    ]

    /// Whether it changes anything that others could see, so that a lost answer leaves a question.
    public var isMutation: Bool {
        [.zonesModify, .recordsModify, .subscriptionsModify].contains(self)
    }

    /// Whether asking once more at once is harmless, so that a lost answer needs no decision. A poll of the courier
    /// takes a notification out of the queue, so it is none.
    var isRepeatable: Bool {
        !isMutation && ![.uploadAsset, .downloadAsset, .pollCourier, .tokensCreate, .tokensRegister].contains(self)
            && Self.all.contains(self)
    }

    /// Whether it fetches changes by a sync token.
    var takesSyncToken: Bool { self == .databaseChanges || self == .zoneChanges }
}
