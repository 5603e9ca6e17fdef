/// What a server's data directory was found to hold.
public struct CheckReport: Hashable, Sendable {
    /// Whether it is a backup as it was made, which nobody has served since.
    public var isBackup = false
    /// Without those that are deleted; `nil` where the database is too damaged to tell.
    public var records: Int?
    /// Of the database's file.
    public var databaseBytes: Int64 = 0
    /// What SQLite finds wrong with the database, a sentence each; of much damage the first ``damageLimit``.
    public var damage: [String] = []
    /// Whether the database told all assets that it names. Where it is too damaged for that, what is missing may not show.
    public var isComplete = true
    /// Those that were looked at, whole or not: which records name, and ``untoldAssets``.
    public var assets = 0
    /// Of how many of the 256 directories of assets the database did not tell what records name.
    public var untoldFolders = 0
    /// Those in such directories: they were held against their names, which are their digests, and may be named by no record.
    public var untoldAssets = 0
    /// So much was read of them.
    public var assetBytes: Int64 = 0
    /// Files of assets that no record names, such as uploads whose records did not come yet. They were not read.
    public var unnamedAssets = 0
    /// How many of the assets that records name are not there as they were stored.
    public var lostAssets = 0
    /// Each of them with a record that names it; of many, the first ``lostLimit``.
    public var lost: [LostAsset] = []

    /// Whether nothing is wrong with it.
    public var isWhole: Bool { damage.isEmpty && isComplete && lostAssets == 0 }

    /// How many findings of SQLite's are kept.
    public static let damageLimit = 20
    /// How many lost assets are kept by name.
    public static let lostLimit = 10_000

    mutating func add(_ lost: LostAsset) {
        lostAssets += 1
        if self.lost.count < Self.lostLimit { self.lost.append(lost) }
    }

    /// Much that is read finds the same damage.
    mutating func add(_ damage: DatabaseDamage) {
        guard self.damage.count < Self.damageLimit, !self.damage.contains(damage.reason) else { return }
        self.damage.append(damage.reason)
    }
}

/// How far a check is.
public enum CheckStep: Hashable, Sendable {
    /// The database, a file of so many bytes, is read first, as a whole.
    case began(databaseBytes: Int64)
    /// It names so much, which is read now.
    case databaseChecked(assets: Int, bytes: Int64)
    /// So much of that was read by now. Beside a running server it can become more than was told.
    case assetsRead(assets: Int, bytes: Int64)
}
