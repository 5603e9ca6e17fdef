import CloudKitWire
import GRDB
import Synchronization

extension RecordStore {
    /// Makes a container's public database with its default zone, unless it is there.
    func preparePublicDatabase(for caller: Caller) throws {
        let place = "\(caller.environment)/\(caller.container)"
        guard !publicDatabases.withLock({ $0.contains(place) }) else { return }
        let exists = try read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM databases WHERE container = ? AND environment = ? AND scope = 'public')
                    """,
                arguments: [caller.container, caller.environment])!
        }
        if !exists { try change { db in try Self.createPublicDatabase(for: caller, db) } }
        publicDatabases.withLock { _ = $0.insert(place) }
    }

    private static func createPublicDatabase(for caller: Caller, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO databases (container, environment, scope, owner_id, last_change)
                VALUES (?, ?, 'public', NULL, 1)
                """,
            arguments: [caller.container, caller.environment])
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO zones (database_id, name, deleted, last_change)
                SELECT id, ?, 0, 1 FROM databases WHERE container = ? AND environment = ? AND scope = 'public'
                """,
            arguments: [ZoneID.defaultZoneName, caller.container, caller.environment])
    }
}
