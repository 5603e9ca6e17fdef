public import CloudKitClient
public import FolderSettings
public import FolderWriting
public import LocalFolder
public import RecordMapping
package import RecordTrees
public import RemoteZone
public import StateStorage
public import SyncModel
package import SyncPlanning
public import SyncTiming

/// Everything that a session works with, handed in so that it can as well run on simulated time and network.
public struct SessionEnvironment: Sendable {
    public var configuration: FolderConfiguration
    /// The types of fields as the schema file declares them that the configuration names.
    public var declaredSchema = ZoneSchema()
    public var root: FolderRoot
    public var writer: FolderWriter
    public var store: StateStore
    public var database: CloudKitDatabase
    /// The feeds that the session shares with others; one of its own where it has none to share with.
    public var feeds = DatabaseFeeds()
    /// Where the folder gets its pushes; `nil` for a single pass.
    package var seat: FeedSeat?
    /// What is known of the network by all folders of the process; `nil` for a single pass.
    package var network: NetworkReach?
    public var clock: SessionClock
    public var random: any RandomNumberGenerator & Sendable
    /// Where the session's own tasks run; `nil`: wherever tasks do. A simulation gives the one that its other tasks prefer.
    package var executor: (any TaskExecutor)?
    /// Called before each plan with the trees that it is made from; a simulation looks whether the stored ones give the same.
    package var willPlan: (@Sendable (Planner, SyncTrees) -> Void)?
    /// Called before a directory is listed, so that its watch misses nothing; `nil` is the folder itself.
    public var placeWatch: @Sendable (FolderPath?) -> Void
    /// Called when other rules hold: the watches of what they leave out can be taken away.
    public var leaveWatches: @Sendable (_ isLeftOut: (FolderPath) -> Bool) -> Void = { _ in }
    /// Whether somebody tells of what is done in a directory that was given to `placeWatch`; not so for a single pass.
    public var isWatched = false
    /// Whether every directory has a watch; where not, the folder is scanned from time to time.
    public var isFullyWatched: @Sendable () -> Bool = { true }
    /// Whether the state directory was removed or replaced under the session, which ends then.
    public var isStateRemoved: @Sendable () -> Bool = { false }
    /// Whether another state is in the place of the one that was opened, as when a backup is copied over the folder: nothing is
    /// stored then.
    public var stateStanding: @Sendable () -> StateStanding = { .own }
    /// How far what is under way has come.
    package var progress = ProgressMeter()
    /// Where the rows of the trees are.
    package var rowMemory: any RowMemory = ProcessMemory()
    /// Files that a look reads before it stores what it found: a thousand take about a tenth of a second.
    package var filesAtATime = 1024
    /// How many bytes those have together at most, but for one that alone has more: a process that ends in the midst of large
    /// files is to find at its next start what it has read.
    package var bytesAtATime: Int64 = 256 << 20
    /// How full the folder's disk is; `nil` where it cannot be told.
    public var diskSpace: @Sendable () -> DiskSpace?

    /// Takes the collaborators of one session.
    public init(
        configuration: FolderConfiguration, root: FolderRoot, writer: FolderWriter, store: StateStore,
        database: CloudKitDatabase, clock: SessionClock = .system,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        placeWatch: @escaping @Sendable (FolderPath?) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.root = root
        self.writer = writer
        self.store = store
        self.database = database
        self.clock = clock
        self.random = random
        self.placeWatch = placeWatch
        diskSpace = { root.diskSpace() }
    }
}

extension SessionEnvironment {
    /// What reads the folder's files.
    package var reader: FolderReader { FolderReader(root: root) }
}
