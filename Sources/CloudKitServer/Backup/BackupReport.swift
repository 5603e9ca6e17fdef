/// What a backup holds, and what was done for it.
public struct BackupReport: Hashable, Sendable {
    /// Without those that are deleted.
    public var records: Int
    /// Of the database's copy.
    public var databaseBytes: Int64
    /// All that the backup holds, however they came there.
    public var assets: Int
    public var assetBytes: Int64
    /// Those that an earlier backup in the same place did not have.
    public var copiedAssets: Int
    public var copiedBytes: Int64
    /// Those of an earlier backup that no record names any more.
    public var removedAssets: Int
    /// What records name and the backup does not hold, as the server does not have it whole; empty as a rule.
    public var lost: [LostAsset]
}

/// How far a backup is.
public enum BackupStep: Hashable, Sendable {
    /// The database is copied, and so much of what it names is not there yet. Comes again where assets went away meanwhile.
    case databaseCopied(assets: Int, bytes: Int64)
    /// So much of that was looked at by now.
    case assetsCopied(assets: Int, bytes: Int64)
    /// All is on the disk, and gets its place next.
    case complete
}
