import CloudKitWire
import GRDB

/// The side of participants: their shared databases, each with a change counter and a feed of zones of its own.
struct SharedFeed {
    let container: String
    let environment: String
    let db: Database

    /// Notes a change for everyone who may see it, except those who are dealt with already.
    /// - Returns: The shared databases that changed.
    func note(zone: Int64, shares: Set<Int64>, except done: Set<Int64>) throws -> [Int64] {
        guard !shares.isEmpty else { return [] }
        let list = shares.sorted().map(String.init).joined(separator: ",")
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT DISTINCT z.id, z.database_id FROM shared_zones z JOIN databases d ON d.id = z.database_id
                JOIN participants p ON p.user_id = d.owner_id AND p.acceptance = 'ACCEPTED'
                JOIN shares s ON s.record_id = p.share_id AND s.zone_id = z.zone_id
                WHERE z.zone_id = ? AND z.deleted = 0 AND p.share_id IN (\(list))
                """,
            arguments: [zone])
        let others = rows.filter { !done.contains($0[1]) }
        for row in others { try note(row: row[0], database: row[1]) }
        return others.map { $0[1] }
    }

    /// Brings a person's shared database up to date with what they may see of a zone.
    /// - Returns: The database, where anything changed; and the shares that they see now and did not before.
    func update(
        user: Int64, zone: Int64, name: String, ownerRecordName: String
    ) throws -> (database: Int64?, gained: [Int64]) {
        let access = try ZoneAccess(of: user, to: zone, db)
        let database = try database(of: user)
        let row = try Row.fetchOne(
            db, sql: "SELECT id, shares FROM shared_zones WHERE database_id = ? AND zone_id = ? AND deleted = 0",
            arguments: [database, zone])
        let before = (row?[1] as String?).map { Set($0.split(separator: ",").compactMap { Int64($0) }) } ?? []
        let now = try access.shares(in: zone, db)
        guard !now.isEmpty else {
            guard let row else { return (nil, []) }
            try note(row: row[0], database: database, isDeleted: true)
            return (database, [])
        }
        let list = now.sorted().map(String.init).joined(separator: ",")
        if let row, before.isSubset(of: now) {
            try db.execute(sql: "UPDATE shared_zones SET shares = ? WHERE id = ?", arguments: [list, row[0] as Int64])
            try note(row: row[0], database: database)
            return (database, now.subtracting(before).sorted())
        }
        // What is out of sight now could not be told from an older token on; a new row makes every one unknown.
        try db.execute(
            sql: "DELETE FROM shared_zones WHERE database_id = ? AND name = ? AND owner_record_name = ?",
            arguments: [database, name, ownerRecordName])
        try db.execute(
            sql: """
                INSERT INTO shared_zones (database_id, zone_id, name, owner_record_name, shares, deleted, last_change)
                VALUES (?, ?, ?, ?, ?, 0, 0)
                """,
            arguments: [database, zone, name, ownerRecordName, list])
        try note(row: db.lastInsertedRowID, database: database)
        return (database, [])
    }

    /// The shared databases of those who see a zone: what its end changes.
    func viewers(of zone: Int64) throws -> [Int64] {
        try Int64.fetchAll(
            db, sql: "SELECT database_id FROM shared_zones WHERE zone_id = ? AND deleted = 0", arguments: [zone])
    }

    /// Takes a zone that is deleted from everyone's sight.
    /// - Returns: The shared databases that changed.
    func end(zone: Int64) throws -> [Int64] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, database_id FROM shared_zones WHERE zone_id = ? AND deleted = 0", arguments: [zone])
        for row in rows { try note(row: row[0], database: row[1], isDeleted: true) }
        try db.execute(sql: "DELETE FROM shares WHERE zone_id = ?", arguments: [zone])
        try db.execute(sql: "DELETE FROM short_guids WHERE zone_id = ?", arguments: [zone])
        return rows.map { $0[1] }
    }

    private func note(row: Int64, database: Int64, isDeleted: Bool = false) throws {
        try db.execute(sql: "UPDATE databases SET last_change = last_change + 1 WHERE id = ?", arguments: [database])
        try db.execute(
            sql: """
                UPDATE shared_zones SET deleted = ?, last_change = (SELECT last_change FROM databases WHERE id = ?)
                WHERE id = ?
                """,
            arguments: [isDeleted, database, row])
    }

    /// Made where the person has not been in this environment yet.
    private func database(of user: Int64) throws -> Int64 {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO databases (container, environment, scope, owner_id, last_change)
                VALUES (?, ?, 'shared', ?, 1)
                """,
            arguments: [container, environment, user])
        return try Int64.fetchOne(
            db, sql: "SELECT id FROM databases WHERE owner_id = ? AND environment = ? AND scope = 'shared'",
            arguments: [user, environment])!
    }
}

extension ZoneAccess {
    /// The shares that give it, by their rows.
    func shares(in zone: Int64, _ db: Database) throws -> Set<Int64> {
        guard whole != nil else { return Set(parts.keys) }
        return Set(try ShareRow.all(in: zone, db).filter { $0.rootName == nil }.map(\.id))
    }
}
