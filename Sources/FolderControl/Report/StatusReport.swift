import LocalFolder
package import StateRows
import SyncModel

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

    /// The account that the folder belongs to.
    public struct Account: Codable, Hashable, Sendable {
        /// `available`, `noAccount`, `restricted`, `couldNotDetermine`, `temporarilyUnavailable`, `switched` or `unknown`.
        public var status: String
        public var userRecordName: String?
        /// How the account is called; `nil` where the server told no name.
        public var name: String?
        /// What a person should do, where something is to be done.
        public var remedy: String?

        /// An account's status.
        public init(status: String, userRecordName: String? = nil, name: String? = nil, remedy: String? = nil) {
            self.status = status
            self.userRecordName = userRecordName
            self.name = name
            self.remedy = remedy
        }
    }

    /// The process that syncs the folder.
    public struct Daemon: Codable, Hashable, Sendable {
        public var pid: Int32
        public var startedMilliseconds: Int64
        /// Of the program that it runs; `nil` from one that is older than this key.
        public var version: String?

        /// A running daemon.
        public init(pid: Int32, startedMilliseconds: Int64, version: String? = ProgramVersion.current) {
            self.pid = pid
            self.startedMilliseconds = startedMilliseconds
            self.version = version
        }
    }

    /// How requests to the server fare.
    public struct Network: Codable, Hashable, Sendable {
        /// Whether the last request was answered, or a later one may be.
        public var isReachable: Bool
        /// Since when it is not.
        public var sinceMilliseconds: Int64?
        /// Why it is not, or why the server wants to be left alone for now.
        public var cause: String?
        /// When it is tried next; `nil` while that is done, or where nothing has to be tried again.
        public var nextTryMilliseconds: Int64?

        /// The way to the server.
        public init(
            isReachable: Bool, sinceMilliseconds: Int64? = nil, cause: String? = nil, nextTryMilliseconds: Int64? = nil
        ) {
            self.isReachable = isReachable
            self.sinceMilliseconds = sinceMilliseconds
            self.cause = cause
            self.nextTryMilliseconds = nextTryMilliseconds
        }
    }

    /// That a person wants no syncing for now.
    public struct Pause: Codable, Hashable, Sendable {
        public var sinceMilliseconds: Int64
        /// When it ends by itself; `nil`: only `zonefolder resume` ends it.
        public var untilMilliseconds: Int64?

        /// A pause that goes on.
        public init(sinceMilliseconds: Int64, untilMilliseconds: Int64? = nil) {
            self.sinceMilliseconds = sinceMilliseconds
            self.untilMilliseconds = untilMilliseconds
        }

        package init(_ pause: FolderPause) {
            self.init(sinceMilliseconds: pause.sinceMilliseconds, untilMilliseconds: pause.untilMilliseconds)
        }
    }

    package static let pausedReason =
        "Syncing is paused: nothing is sent, fetched or written. What waits goes on with `zonefolder resume`."

    /// Something that is not as it should be, and holds no file.
    public struct Notice: Codable, Hashable, Sendable {
        public var code: String
        public var message: String
        public var remedy: String

        /// What is wrong, and the way out.
        public init(code: String, message: String, remedy: String) {
            self.code = code
            self.message = message
            self.remedy = remedy
        }
    }

    /// How many actions are still to be done.
    public struct Pending: Codable, Hashable, Sendable {
        public var uploads = 0
        public var downloads = 0
        public var deletions = 0
        /// Files and directories in which something happened that was not looked at yet.
        public var unseen: Int? = nil

        /// Nothing pending.
        public init() {}
    }

    /// Files and bytes done, of how many.
    public struct Progress: Codable, Hashable, Sendable {
        public var filesDone: Int
        public var filesTotal: Int
        public var bytesDone: Int64
        public var bytesTotal: Int64
        /// How long it goes on, which tells the rate; `nil` from an older daemon.
        public var elapsedMilliseconds: Int64?

        /// Progress of everything that is moving, in one total.
        public init(
            filesDone: Int = 0, filesTotal: Int = 0, bytesDone: Int64 = 0, bytesTotal: Int64 = 0,
            elapsedMilliseconds: Int64? = nil
        ) {
            self.elapsedMilliseconds = elapsedMilliseconds
            self.filesDone = filesDone
            self.filesTotal = filesTotal
            self.bytesDone = bytesDone
            self.bytesTotal = bytesTotal
        }
    }

    /// What of the folder is watched.
    public struct Watch: Codable, Hashable, Sendable {
        public var directories: Int
        /// Directories without a watch: scanned from time to time instead.
        public var unwatched: Int
        public var remedy: String?

        /// Watch coverage.
        public init(directories: Int, unwatched: Int, remedy: String? = nil) {
            self.directories = directories
            self.unwatched = unwatched
            self.remedy = remedy
        }
    }

    /// A file or record that cannot be synced as it is.
    public struct Held: Codable, Hashable, Sendable {
        public var path: String
        public var code: String
        public var message: String
        public var remedy: String
        public var line: Int?

        /// Whether nothing is asked of a person (`Problem.isRemark`).
        package var isRemark: Bool { Problem(Problem.Code(rawValue: code), message: message, remedy: remedy).isRemark }

        /// Something held, with its reason and its remedy.
        public init(path: String, code: String, message: String, remedy: String, line: Int? = nil) {
            self.path = path
            self.code = code
            self.message = message
            self.remedy = remedy
            self.line = line
        }
    }

    /// A conflict copy that waits for a person.
    public struct Conflict: Codable, Hashable, Sendable {
        public var path: String
        /// The file that holds the version that lost: this device's, or the zone's, as its name tells.
        public var copy: String
        /// The fields in which both sides differed; empty for a file that is no structured record.
        public var fields: [String]
        public var atMilliseconds: Int64
        /// When the zone's version was saved there last, as far as it is known.
        public var zoneMilliseconds: Int64? = nil
        /// By whom that was.
        public var zoneUserRecordName: String? = nil

        /// A conflict copy of a file.
        public init(path: String, copy: String, fields: [String], atMilliseconds: Int64) {
            self.path = path
            self.copy = copy
            self.fields = fields
            self.atMilliseconds = atMilliseconds
        }

        /// A conflict as the state has it, with what is known of the record in the zone.
        package init(_ row: ConflictRow, _ remote: RemoteRow?) {
            self.init(
                path: "\(row.original)", copy: "\(row.copy)", fields: row.fields, atMilliseconds: row.atMilliseconds)
            zoneMilliseconds = remote?.modifiedMilliseconds
            zoneUserRecordName = remote?.modifiedBy.user
        }

        /// Whether the copy holds the zone's version, and the file this device's.
        public var holdsZoneVersion: Bool {
            FolderPath(shown: copy).map { ConflictCopyName.isOfZone($0) } ?? false
        }
    }

    /// A batch of deletions that waits.
    public struct Approval: Codable, Hashable, Sendable {
        public var batch: String
        public var deletions: Int
        /// `folder` or `zone`: where they would be carried out.
        public var side: String
        /// How many of the files are equal to others that stay in the folder, as after a move; `nil` from an older daemon.
        public var elsewhere: Int?
        /// How many deletions on that side went through in the ten minutes before, and nobody was asked; `nil` where none did, or
        /// from an older daemon.
        public var unasked: Int?
        /// When the first of these began, in milliseconds since 1970; `nil` as ``unasked``.
        public var unaskedSinceMilliseconds: Int64?

        /// A batch by its name.
        public init(
            batch: String, deletions: Int, side: String, elsewhere: Int? = nil, unasked: Int? = nil,
            unaskedSinceMilliseconds: Int64? = nil
        ) {
            self.batch = batch
            self.deletions = deletions
            self.side = side
            self.elsewhere = elsewhere
            self.unasked = unasked
            self.unaskedSinceMilliseconds = unaskedSinceMilliseconds
        }
    }
}
