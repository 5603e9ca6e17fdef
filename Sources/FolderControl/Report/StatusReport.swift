/// What `zonefolder status` tells of one folder; its JSON form is `status --json`.
public struct StatusReport: Codable, Hashable, Sendable {
    /// Rises when a key changes its meaning or goes.
    public var version = 1
    public var verdict: Verdict
    /// One sentence for people: why the verdict is what it is.
    public var reason: String
    /// The folder's absolute path.
    public var folder: String
    public var server: String
    public var container: String
    public var environment: String
    public var database: String
    public var zone: String
    public var account: Account
    /// The daemon, or `nil` where none runs.
    public var daemon: Daemon?
    public var lastFetchMilliseconds: Int64?
    public var lastPushMilliseconds: Int64?
    /// The way to the server; `nil` where no daemon runs.
    public var network: Network?
    /// Why the server sends no pushes, in its own words; changes there are asked for from time to time then. `nil` where it
    /// does, or is not known to refuse.
    public var withoutPush: String?
    /// When the last look at the whole folder began: what no event tells was seen by then.
    public var lastLookMilliseconds: Int64?
    /// The pause that goes on; `nil` where nobody wanted one.
    public var pause: Pause? = nil
    /// Whether everything that was saved before the question was seen, and the server was asked after it; `nil` where
    /// nobody wanted to know.
    public var isCurrent: Bool?
    public var records: Int
    public var pending: Pending
    /// What is moving now.
    public var progress: Progress?
    public var watch: Watch?
    /// `nil` where no daemon runs, or one that is older than this key.
    public var traffic: Traffic? = nil
    /// As ``traffic``.
    public var work: Work? = nil
    public var held: [Held]
    /// Files that are synced as plain ones, because they fit no structured record; `nil`: an older daemon says nothing of them.
    public var unfit: [Held]? = []
    /// What goes on all the same, but not as it should.
    public var notices: [Notice]? = nil
    public var conflicts: [Conflict]
    /// A mass deletion that waits for a person's word.
    public var approval: Approval?

    /// How a folder stands. What is left out is not known, or there is none of it.
    package init(
        verdict: Verdict, reason: String, folder: String, server: String, container: String, environment: String,
        database: String, zone: String, account: Account, daemon: Daemon? = nil, lastFetchMilliseconds: Int64? = nil,
        lastPushMilliseconds: Int64? = nil, network: Network? = nil, withoutPush: String? = nil,
        lastLookMilliseconds: Int64? = nil, pause: Pause? = nil, records: Int, pending: Pending,
        progress: Progress? = nil, watch: Watch? = nil, held: [Held], unfit: [Held]? = [], notices: [Notice]? = nil,
        conflicts: [Conflict], approval: Approval? = nil
    ) {
        self.verdict = verdict
        self.reason = reason
        self.folder = folder
        self.server = server
        self.container = container
        self.environment = environment
        self.database = database
        self.zone = zone
        self.account = account
        self.daemon = daemon
        self.lastFetchMilliseconds = lastFetchMilliseconds
        self.lastPushMilliseconds = lastPushMilliseconds
        self.network = network
        self.withoutPush = withoutPush
        self.lastLookMilliseconds = lastLookMilliseconds
        self.pause = pause
        self.records = records
        self.pending = pending
        self.progress = progress
        self.watch = watch
        self.held = held
        self.unfit = unfit
        self.notices = notices
        self.conflicts = conflicts
        self.approval = approval
    }
}
