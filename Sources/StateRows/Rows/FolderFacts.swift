/// What is known of the folder, its account and its database.
public struct FolderFacts: Hashable, Sendable {
    /// Identifies the folder; made by `init`.
    public var marker: String?
    /// Identifies this device among those that sync the zone.
    public var device: String?
    /// What the facts below were learnt of, and the trees with them; `nil` before the first start. Set by
    /// `StateStore.setOrigin(_:)`.
    public package(set) var origin: FolderOrigin?
    /// The user record name of the signed-in account; another one stops the folder.
    public var account: String?
    /// How the account is called, for people; `nil` where the server told no name.
    public var accountName: String?
    /// The id of the database subscription, once the server has it.
    public var subscription: String?
    /// The token of `changes/database`. Moves only with `StateStore.commitDatabaseChanges(owed:lost:token:fetched:)`.
    public package(set) var databaseToken: String?
    /// The machine and the state directory for which the courier was made. Set by `StateStore.setHome(_:)`.
    public package(set) var home: String?
    /// Where pushes are polled for.
    public var courierURL: String?
    public var courierExpiresMilliseconds: Int64?
    public var pushToken: String?
    /// When the last fetch reached its end.
    public var fetchedMilliseconds: Int64?
    /// When the server last accepted something.
    public var pushedMilliseconds: Int64?
    /// When the last look at the whole folder began.
    public var lookedMilliseconds: Int64?
    /// That a person wants no syncing for now.
    public var pause: FolderPause?
    /// The zone's field types, as learnt; opaque here.
    public var schema: [UInt8]?
    /// Record types of which the schema has learnt: their files are still to be read again.
    public var learntTypes: [String]
    /// The ignore rules that were in force when the whole folder was last looked at, a line each; `nil`: not known.
    public var ignoreRules: String?
    /// What of the configuration tells what files are, as it was when they were last read; opaque here.
    public var formRules: String?

    /// Whether the folder was copied, or put back from a backup, since the zone was last asked for its changes, or its zone is shared
    /// with it anew: what is gone there by now may be what somebody wants to keep. Set by `StateStore.setRoot(_:stateBorn:)` and
    /// at the end of a listing.
    public var isCopy = false
    /// Whether somebody was asked of that, but for what could not be looked at then.
    public var hasUnseenDeletions = false

    /// What is known of a folder that was never synced.
    public init() {
        learntTypes = []
    }
}
