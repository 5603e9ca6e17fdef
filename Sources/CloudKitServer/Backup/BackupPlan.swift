/// What is to be done for a copy of the database to have all of its assets beside it, and no other.
struct BackupPlan: Hashable {
    /// To be copied: not there, or cut short.
    var missing: [NamedAsset] = []
    /// To be removed once the copy of the database is in its place: until then an earlier one may name them.
    var unnamed: [[UInt8]] = []

    /// - Parameter present: The sizes of those that are there. They got their names when they were whole and on the disk, so
    ///   that another size is the disk's doing.
    init(named: [NamedAsset], present: [[UInt8]: Int64]) {
        var unnamed = present
        for asset in named where unnamed.removeValue(forKey: asset.sha256) != asset.size { missing.append(asset) }
        self.unnamed = unnamed.keys.sorted { $0.lexicographicallyPrecedes($1) }
    }

    var missingBytes: Int64 { missing.reduce(0) { $0 + $1.size } }
}

/// Whether the database has to be copied once more.
///
/// An asset that a copy of the database names may go before its own copy is made: a record was saved anew, and the server
/// swept, or started again, which sweeps at once. A later copy of the database does not name it then. What this one names,
/// too, although it was gone before, the server has lost.
struct BackupRounds {
    private var lostBefore: Set<[UInt8]> = []
    /// Each round but the first has only that to copy which came during the one before, so more than two are rare.
    private var left = 5

    /// - Parameter lost: What this round's copy of the database names and could not be copied.
    mutating func isLast(lost: Set<[UInt8]>) -> Bool {
        defer { lostBefore = lost }
        left -= 1
        return left == 0 || lost.isSubset(of: lostBefore)
    }
}
