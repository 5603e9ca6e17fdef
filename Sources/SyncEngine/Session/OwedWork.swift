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

/// A version of a file that the server refused, or a version of a record that the folder cannot take.
struct RefusedVersion: Hashable, Sendable {
    let path: FolderPath
    let hash: ContentHash?
    let changeTag: String?

    init(_ action: Action) {
        path = action.path
        hash = action.local?.hash
        changeTag = action.changeTag
    }
}

/// Why a version is left alone, and for how long.
struct Refusal: Sendable {
    var problem: Problem
    /// What stands in the way, where that is another path than the version's own.
    var place: FolderPath?
    /// When it was tried, in nanoseconds since 1970.
    var since: Int64
    /// When it is tried again although nothing about it changed: a disk may have got room, a schema its field.
    var expires: SteadyInstant
    var count: Int
    /// What has to come into the schema first.
    var gap: SchemaGap?
    /// Whether the schema was asked again since.
    var isProbed = false
    /// The records of which one has to come, to change or to go first.
    var awaitedRecords: Set<RecordName> = []
    /// The files of those, where they are known.
    var awaitedPaths: Set<FolderPath> = []
    /// Whether nothing is wrong: what it waits for is only waiting for its turn.
    var isOnItsWay = false
}
