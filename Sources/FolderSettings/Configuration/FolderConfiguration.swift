/// What a folder is synced with, and how: the content of `config.toml`.
public struct FolderConfiguration: Hashable, Sendable {
    /// The environments of a container.
    public enum Environment: String, Hashable, Sendable, CaseIterable {
        case development, production
    }

    /// The databases of a container that can be synced.
    public enum Database: String, Hashable, Sendable, CaseIterable {
        case `private`, shared
    }

    /// The URL of Apple's own service.
    public static let appleServer = "https://api.apple-cloudkit.com"

    /// The server's URL, without a path.
    public var server: String
    /// The absolute path of a file in PEM whose authorities vouch for the server, besides the system's; `nil`: those alone.
    public var authorityFile: String?
    /// Whether a server on another machine may be spoken to without TLS.
    public var allowsPlainHTTP: Bool
    /// Begins with `iCloud.`.
    public var container: String
    public var environment: Environment
    public var database: Database
    /// The name of the record zone; never `_defaultZone`, which has no change feed.
    public var zone: String
    /// The user record name of the zone's owner; `nil` for one's own zone, which none of the shared database is.
    public var owner: String?
    /// The name of this device in the names of conflict copies.
    public var device: String

    /// The record type of files that are no structured records.
    public var fileRecordType: String
    /// What becomes of new JSON files that fit no structured record.
    public var unfitFiles: UnfitFiles
    /// Where the container's schema is as text (`.ckdb`), relative to the folder; `nil`: field types are learnt alone.
    public var schemaFile: String?
    /// By record type.
    public var types: [String: TypeRules]

    /// How long to wait between two fetches where no push arrives.
    public var pollingInterval: Duration
    /// How long to wait between two looks at the whole folder, for what no event tells.
    public var auditInterval: Duration
    /// The largest asset that is sent, in bytes.
    public var assetLimit: Int64
    /// Receiving stops before the folder's disk has fewer bytes left than this, or than a twentieth of it.
    public var diskReserve: Int64

    /// A deletion of more files at once than this, and of a larger share of the tree than ``deletionShare``, is held.
    public var deletionLimit: Int
    /// In percent.
    public var deletionShare: Int
    /// How long overwritten and deleted versions are kept, in days.
    public var historyDays: Int
    /// For all overwritten and deleted versions together, in bytes: the oldest go first. 0: no limit.
    public var historyLimit: Int64
    /// For the versions that edits and deletions in this folder took the place of, in bytes: for JSON, and for other files. 0:
    /// none is kept.
    public var ownHistoryLimit: Int64

    public var merge: MergePolicies
    public var limits: TransferLimits
    /// What the shell runs where the folder comes to need a person; `nil`: nothing.
    public var attentionCommand: String?

    /// A configuration with the defaults of everything that can have one.
    public init(container: String, zone: String, device: String) {
        server = Self.appleServer
        allowsPlainHTTP = false
        self.container = container
        environment = .development
        database = .private
        self.zone = zone
        self.device = device
        fileRecordType = "File"
        unfitFiles = .file
        types = [:]
        pollingInterval = .seconds(60)
        auditInterval = .seconds(3600)
        assetLimit = 50 << 20
        diskReserve = 100 << 20
        deletionLimit = 25
        deletionShare = 33
        historyDays = 30
        historyLimit = 0
        ownHistoryLimit = 100 << 20
        merge = MergePolicies()
        limits = TransferLimits()
    }
}
