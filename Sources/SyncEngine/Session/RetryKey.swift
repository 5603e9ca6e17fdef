import LocalFolder
import SyncModel

/// What has to be looked at before the trees can be trusted.
struct OwedWork: Sendable {
    /// The whole folder is to be scanned.
    var wholeScan = true
    /// Paths to be scanned besides what the watcher names.
    var paths: Set<FolderPath> = []
    /// The database is to be asked which zones changed.
    var databaseFetch = true
    /// Only a reading of the database's feed that is later than this one is new enough.
    var databaseReading = 0
    /// The zone is to be asked what changed, although the database did not name it.
    var zoneFetch = false
    /// The server is to be asked whether it still has the subscription.
    var subscriptionLook = false
    /// When to fetch although no push came: a while after the last reading, whoever it was made for.
    var nextPoll: SteadyInstant?
    /// The reading that was taken in last.
    var pollReading = 0
    /// When the look at the whole folder goes on that is made in small steps, or the next one begins.
    var nextAudit: SteadyInstant?
    /// When to scan the whole folder at once although no event says so: where events cannot tell everything.
    var nextWholeScan: SteadyInstant?
    /// When to look again at what could not be read.
    var nextSecondLook: SteadyInstant?

    /// Both sides as a whole, as at the start.
    static let everything = OwedWork()

    /// Whether nothing is owed now.
    var isEmpty: Bool { !wholeScan && paths.isEmpty && !databaseFetch && !zoneFetch }
}

/// What is waited for after a failure.
enum RetryKey: Hashable, Sendable {
    case account, zone, subscription, databaseChanges, zoneChanges, state
    case record(RecordName)
    case path(FolderPath)

    /// The key of an action: its record's, or its file's.
    init?(_ action: Action) {
        self = action.record.map(RetryKey.record) ?? .path(action.path)
    }
}
