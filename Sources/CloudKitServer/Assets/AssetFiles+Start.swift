import DatabaseReading
import Foundation
import GRDB
import Glibc
import Logging
import SystemPackage

extension AssetFiles {
    /// Removes unused assets before the database is opened, so that a server starts again whose disk was full: opening it
    /// takes room.
    ///
    /// It only looks at the database. Where that fails, opening it says why, or succeeds, and what is unused goes later.
    func removeUnused(accordingTo database: FilePath, now: Int64, logger: Logger) {
        do {
            guard let used = try Self.used(in: database) else { return }
            try removeUnused(keeping: used, now: now)
        } catch {
            logger.notice(
                "Unused assets were not removed before the database was opened", metadata: ["error": "\(error)"])
        }
    }

    /// The assets that records name, by SHA-256; `nil` where there is no database yet, or one of a later version, which may
    /// name them elsewhere.
    private static func used(in database: FilePath) throws -> Set<[UInt8]>? {
        guard access(database.string, F_OK) == 0 else { return nil }
        return try TracelessReader.read(database) { queue -> Set<[UInt8]>? in
            try queue.read { db -> Set<[UInt8]>? in
                guard try db.tableExists("asset_uses"), try !Migrations.migrator.hasBeenSuperseded(db) else {
                    return nil
                }
                let used = try Data.fetchAll(
                    db, sql: "SELECT sha256 FROM assets WHERE checksum IN (SELECT checksum FROM asset_uses)")
                return Set(used.map { Array($0) })
            }
        }
    }
}
