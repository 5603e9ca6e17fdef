import Glibc
import SystemPackage

/// Reads all that a server's data directory keeps, and tells what of it is not as it was stored.
///
/// Nothing is written, made or locked there. First the database is read as a whole (``DatabaseCheck``), in one transaction, while
/// which a server's log is not emptied. Then the assets, one of the 256 directories after the other, so that no list of all is in
/// memory, and no transaction lasts as long as files are read.
///
/// Beside a server that runs, and beside a backup that is brought up to date, an asset can go that was named a moment ago: no
/// record names it by then. So what is not whole is looked at twice, and the database is asked in between, as a backup does
/// (``BackupRounds``). What is new has its name only once it is whole.
struct ServerCheck {
    private let data: FilePath
    private let files: AssetFiles
    private let observe: (CheckStep) throws -> Void
    private var report = CheckReport()

    /// - Parameter observe: Is told how far it is, and ends the check by throwing.
    init(of data: FilePath, observing observe: @escaping (CheckStep) throws -> Void) {
        self.data = data
        files = AssetFiles(lookingIn: data)
        self.observe = observe
    }

    mutating func run() throws -> CheckReport {
        var status = stat()
        if stat(DataDirectory.database(in: data), &status) == 0 { report.databaseBytes = Int64(status.st_size) }
        try observe(.began(databaseBytes: report.databaseBytes))
        let database = try DatabaseCheck(of: data)
        report.isBackup = database.mark?.isAsBackedUp ?? false
        report.damage = database.damage
        report.records = database.records
        try observe(.databaseChecked(assets: database.named?.assets ?? 0, bytes: database.named?.bytes ?? 0))
        try StoredAsset.withPiece { piece in
            for folder in UInt8.min...UInt8.max { try check(folder, by: piece) }
        }
        return report
    }

    private mutating func check(_ folder: UInt8, by piece: UnsafeMutableRawBufferPointer) throws {
        let part = AssetPart(folder: folder)
        // Before the database is asked: what comes to be named meanwhile is not taken for unnamed. A directory that is not
        // there has none, and one that cannot be listed shows with each asset that is named in it.
        let present = (try? files.assets(in: files.directory.appending(hex([folder])))) ?? []
        let named: [NamedAsset]
        do {
            named = try DataDirectory.readDamaged(data) { try NamedAsset.all(in: $0, part) }
        } catch let damage as DatabaseDamage {
            // Of other directories it may tell.
            report.isComplete = false
            report.untoldFolders += 1
            report.add(damage)
            return try check(untold: present, by: piece)
        }
        report.unnamedAssets += Set(present).subtracting(named.lazy.map(\.sha256)).count
        guard !named.isEmpty else { return }
        try tell()
        var faults: [[UInt8]: LostAsset.Reason] = [:]
        for asset in named {
            faults[asset.sha256] = try read(asset, by: piece)
            report.assets += 1
            try tell()
        }
        guard !faults.isEmpty else { return }
        let stillNamed = try stillNamed(faults, part)
        for asset in named {
            guard var lost = stillNamed[asset.sha256],
                let reason = try StoredAsset(asset, in: data, passingMemory: true).fault(by: piece)
            else { continue }
            lost.reason = reason
            report.add(lost)
        }
    }

    /// Looks at files of which nobody can tell whether a record names them, nor which others should be there.
    private mutating func check(untold assets: [[UInt8]], by piece: UnsafeMutableRawBufferPointer) throws {
        for asset in assets {
            var status = stat()
            // Its own size: its name says whether its bytes are those that were stored.
            guard stat(files.path(asset).string, &status) == 0 else { continue }
            let stored = NamedAsset(sha256: asset, size: Int64(status.st_size))
            let reason = try read(stored, by: piece)
            report.assets += 1
            report.untoldAssets += 1
            if let reason, reason != .absent { report.add(LostAsset(asset, reason)) }
            try tell()
        }
    }

    /// Those of some assets that records name by now.
    private mutating func stillNamed(
        _ faults: [[UInt8]: LostAsset.Reason], _ part: AssetPart
    ) throws -> [[UInt8]: LostAsset] {
        do {
            return try DataDirectory.readDamaged(data) { try LostAsset.find(faults, in: $0, part) }
        } catch let damage as DatabaseDamage {
            // Records take more room than what names assets, and are damaged sooner.
            report.add(damage)
            return Dictionary(uniqueKeysWithValues: faults.map { ($0, LostAsset($0, $1)) })
        }
    }

    private mutating func read(
        _ asset: NamedAsset, by piece: UnsafeMutableRawBufferPointer
    ) throws -> LostAsset.Reason? {
        try StoredAsset(asset, in: data, passingMemory: true).fault(by: piece) { bytes in
            report.assetBytes += Int64(bytes.count)
            try tell()
        }
    }

    private func tell() throws {
        try observe(.assetsRead(assets: report.assets, bytes: report.assetBytes))
    }
}
