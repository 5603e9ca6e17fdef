public import FolderSettings

/// What the state of a folder was learnt of: of a zone elsewhere, or of another one, it says nothing.
public struct FolderOrigin: Hashable, Sendable {
    public var server: String
    public var container: String
    public var environment: String
    public var database: String
    public var zone: String
    /// `nil` for one's own zone.
    public var owner: String?
    /// The record type of files that are no structured records: by it a file and a record are the same or not.
    public var fileRecordType: String

    /// What a folder is configured to be synced with.
    public init(_ configuration: FolderConfiguration) {
        server = configuration.server
        container = configuration.container
        environment = configuration.environment.rawValue
        database = configuration.database.rawValue
        zone = configuration.zone
        owner = configuration.owner
        fileRecordType = configuration.fileRecordType
    }

    package init(
        server: String, container: String, environment: String, database: String, zone: String, owner: String?,
        fileRecordType: String
    ) {
        self.server = server
        self.container = container
        self.environment = environment
        self.database = database
        self.zone = zone
        self.owner = owner
        self.fileRecordType = fileRecordType
    }

    /// Whether both may be one zone of one server that has two names. Only the account there can tell.
    package func mayBeRenamed(_ other: FolderOrigin) -> Bool {
        var renamed = other
        renamed.server = server
        return self != other && self == renamed
    }

    /// Whether the accounts of both are the same ones.
    package func hasAccounts(of other: FolderOrigin) -> Bool {
        server == other.server && container == other.container && environment == other.environment
    }
}
