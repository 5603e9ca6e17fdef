import CloudKitWire
import Foundation
import GRDB

/// An asset that records name.
struct NamedAsset: Hashable {
    var sha256: [UInt8]
    /// In bytes.
    var size: Int64
}

/// Some of a database's assets, by their checksums.
struct AssetPart {
    /// The first checksum, and the one after the last.
    let bounds: StatementArguments

    static let all = Self(from: [], to: [UInt8](repeating: 0xFF, count: 22))

    /// Those whose files are in one directory of `assets/`, as a checksum has the start of the SHA-256. All 256 parts together
    /// are all assets, whatever checksums there are.
    init(folder: UInt8) {
        func first(of folder: UInt8) -> [UInt8] { AssetChecksum(sha256: [folder]).bytes }
        self.init(
            from: folder == 0 ? [] : first(of: folder),
            to: folder == .max ? [UInt8](repeating: 0xFF, count: 22) : first(of: folder + 1))
    }

    private init(from first: [UInt8], to end: [UInt8]) {
        bounds = [blob(first), blob(end)]
    }
}

extension NamedAsset {
    /// Those that records name, by SHA-256.
    static func all(in db: Database, _ part: AssetPart = .all) throws -> [NamedAsset] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT sha256, max(size) FROM assets a WHERE checksum >= ? AND checksum < ?
                AND EXISTS (SELECT 1 FROM asset_uses u WHERE u.checksum = a.checksum) GROUP BY sha256 ORDER BY sha256
                """, arguments: part.bounds)
        var named: [NamedAsset] = []
        while let row = try rows.next() {
            // What is none of these is damage, which SQLite's own check tells.
            if let sha256 = Data.fromDatabaseValue(row[0]), let size = Int64.fromDatabaseValue(row[1]) {
                named.append(NamedAsset(sha256: Array(sha256), size: size))
            }
        }
        return named
    }

    /// How many records name, and of how many bytes.
    static func total(in db: Database) throws -> (assets: Int, bytes: Int64) {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT count(*), CAST(total(size) AS INTEGER) FROM assets a
                WHERE EXISTS (SELECT 1 FROM asset_uses u WHERE u.checksum = a.checksum)
                """)
        return (row?[0] ?? 0, row?[1] ?? 0)
    }
}
