import CloudKitServer
import SystemPackage

/// A check as `serve check` tells of it; its JSON form is `serve check --json`.
struct CheckLine: Encodable {
    /// The directory that was checked.
    var data: String
    /// Whether nothing is wrong with it.
    var isWhole: Bool
    /// Whether it is a backup as it was made.
    var isBackup: Bool
    /// `nil` where the database is too damaged to tell.
    var records: Int?
    var databaseBytes: Int64
    /// What SQLite finds wrong with the database, in its words; of much damage the first findings.
    var databaseDamage: [String]
    /// Whether the database told all assets that it names.
    var isComplete: Bool
    /// Those that were looked at.
    var assets: Int
    /// Of how many of the 256 directories of assets the database does not tell what records name.
    var untoldFolders: Int
    /// Those in such directories, which were held against their names alone.
    var untoldAssets: Int
    /// So much was read of them.
    var assetBytes: Int64
    /// Those that no record names.
    var unnamedAssets: Int
    var lostAssets: Int
    var milliseconds: Int64
    /// Of very many the first ones.
    var lost: [LostAssetLine]

    init(_ report: CheckReport, of data: FilePath, duration: Duration) {
        self.data = data.string
        isWhole = report.isWhole
        isBackup = report.isBackup
        records = report.records
        databaseBytes = report.databaseBytes
        databaseDamage = report.damage
        isComplete = report.isComplete
        assets = report.assets
        untoldFolders = report.untoldFolders
        untoldAssets = report.untoldAssets
        assetBytes = report.assetBytes
        unnamedAssets = report.unnamedAssets
        lostAssets = report.lostAssets
        milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        lost = report.lost.map(LostAssetLine.init)
    }

    var text: String {
        let verdict =
            switch (isWhole, isBackup) {
            case (true, true): "a whole backup"
            case (false, true): "no whole backup"
            case (true, false): "whole"
            case (false, false): "not whole"
            }
        let size = Amounts.bytes(databaseBytes)
        let database =
            records.map { "\(Amounts.count($0, "record")) in \(size)" }
            ?? "its database of \(size) does not tell how many records it holds"
        var text =
            "\(data) is \(verdict): \(database), \(Amounts.count(assets, "asset")) of \(Amounts.bytes(assetBytes))."
        if unnamedAssets > 0 { text += " No record names \(Amounts.count(unnamedAssets, "further file"))." }
        return text + " It took \(Amounts.span(milliseconds))."
    }

    private var untold: String {
        let folders = untoldFolders == 256 ? "any of the 256" : "\(untoldFolders) of the 256"
        return "It does not tell which assets belong into \(folders) directories of assets. "
            + "What is there was held against its name (\(Amounts.count(untoldAssets, "file"))); what is missing was not seen."
    }

    /// What is said of all that is wrong, with the way out; empty where nothing is.
    var warning: String {
        var parts: [String] = []
        if !databaseDamage.isEmpty {
            parts.append("The database is damaged:")
            parts += databaseDamage.map { "  \($0)" }
            if !isComplete { parts.append(untold) }
            parts.append(
                isBackup
                    ? "Make it anew in another directory with `zonefolder serve backup`."
                    : "Stop the server, and put a backup in the place of \(data).")
        }
        if lostAssets > 0 {
            let isOne = lostAssets == 1
            parts.append("\(Amounts.count(lostAssets, "asset")) \(isOne ? "is" : "are") missing or damaged:")
            parts.append(LostAssetLine.list(lost, of: lostAssets))
            parts.append(
                isBackup
                    ? "Remove what is damaged, and back up to \(data) once more: what the server has whole is copied anew."
                    : "Where a backup has such a file whole, copy it to the same place in \(data).")
        }
        return parts.joined(separator: "\n")
    }
}
