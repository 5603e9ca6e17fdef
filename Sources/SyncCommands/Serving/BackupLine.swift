import CloudKitServer
import SystemPackage

/// A backup as `serve backup` tells of it; its JSON form is `serve backup --json`.
struct BackupLine: Encodable {
    /// The server's data directory.
    var data: String
    /// The backup's directory.
    var backup: String
    var records: Int
    var databaseBytes: Int64
    var assets: Int
    var assetBytes: Int64
    var copiedAssets: Int
    var copiedBytes: Int64
    var removedAssets: Int
    var milliseconds: Int64
    /// What could not be copied.
    var lost: [LostAssetLine]

    init(_ report: BackupReport, of data: FilePath, in backup: FilePath, duration: Duration) {
        self.data = data.string
        self.backup = backup.string
        records = report.records
        databaseBytes = report.databaseBytes
        assets = report.assets
        assetBytes = report.assetBytes
        copiedAssets = report.copiedAssets
        copiedBytes = report.copiedBytes
        removedAssets = report.removedAssets
        milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        lost = report.lost.map(LostAssetLine.init)
    }

    var text: String {
        var text =
            "\(backup) is a backup of \(data): \(Amounts.count(records, "record")) in \(Amounts.bytes(databaseBytes)), "
            + "\(Amounts.count(assets, "asset")) of \(Amounts.bytes(assetBytes))."
        if copiedAssets < assets || removedAssets > 0 {
            let new = "\(Amounts.count(copiedAssets, "asset")) of \(Amounts.bytes(copiedBytes))"
            text += " \(new) came new, \(removedAssets) went."
        }
        return text + " It took \(Amounts.span(milliseconds))."
    }

    /// What is said of the assets that could not be copied, at most ``LostAssetLine/shown`` of them by name.
    var warning: String {
        """
        \(Amounts.count(lost.count, "asset")) could not be copied, as the server does not have \
        \(lost.count == 1 ? "it" : "them") whole:
        \(LostAssetLine.list(lost, of: lost.count))
        All else is in the backup. Where an earlier backup has such a file, copy it to the same place in \(data).
        """
    }
}
