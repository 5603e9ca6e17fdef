import CloudKitServer
import SystemPackage

/// A backup as `serve backup` tells of it; its JSON form is `serve backup --json`.
struct BackupLine: Encodable {
    /// An asset that could not be copied.
    struct Lost: Encodable {
        /// In the data directory.
        var file: String
        /// `absent`, `damaged` or `unreadable`.
        var reason: String
        /// The system's words, where it could not be read.
        var message: String?
        var record: String
        var field: String
        var zone: String
        var container: String
        var environment: String
    }

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
    var lost: [Lost]

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
        lost = report.lost.map(Lost.init)
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

    /// What is said of the assets that could not be copied, at most ``shownLosses`` of them by name.
    var warning: String {
        let shown = lost.prefix(Self.shownLosses).map { lost in
            let what =
                switch lost.reason {
                case "absent": "is not there"
                case "damaged": "is damaged"
                default: "cannot be read (\(lost.message ?? ""))"
                }
            let place = "in the zone '\(lost.zone)' of \(lost.container), \(lost.environment)"
            return "  \(lost.file) \(what): '\(lost.field)' of the record '\(lost.record)' \(place)"
        }
        let more = lost.count - shown.count
        return """
            \(Amounts.count(lost.count, "asset")) could not be copied, as the server does not have \
            \(lost.count == 1 ? "it" : "them") whole:
            \((shown + (more > 0 ? ["  and \(more) more; --json lists all"] : [])).joined(separator: "\n"))
            All else is in the backup. Where an earlier backup has such a file, copy it to the same place in \(data).
            """
    }

    private static let shownLosses = 20
}

extension BackupLine.Lost {
    init(_ asset: LostAsset) {
        let (reason, message): (String, String?) =
            switch asset.reason {
            case .absent: ("absent", nil)
            case .damaged: ("damaged", nil)
            case .unreadable(let message): ("unreadable", message)
            }
        self.init(
            file: asset.file, reason: reason, message: message, record: asset.record, field: asset.field,
            zone: asset.zone, container: asset.container, environment: asset.environment)
    }
}
