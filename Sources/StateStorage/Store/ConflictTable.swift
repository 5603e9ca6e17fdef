import GRDB
import StateRows
import SyncModel

/// The rows of `conflict`.
enum ConflictTable {
    static func all(_ db: Database) throws -> [ConflictRow] {
        var rows = try SQLStatement(
            db, "SELECT copy, original, record, fields, hash, at, zone_user, zone_at FROM conflict ORDER BY at, copy")
        var conflicts: [ConflictRow] = []
        while try rows.step() {
            guard let fields = LineList.names(rows.bytes(3)) else { throw rows.damaged(3, "fields") }
            conflicts.append(
                ConflictRow(
                    copy: try rows.path(0), original: try rows.path(1), record: rows.name(2), fields: fields,
                    hash: try rows.hash(4), atMilliseconds: rows.int64(5),
                    zone: ConflictRow.SavedVersion(user: rows.textOrNil(6), milliseconds: rows.int64OrNil(7))))
        }
        return conflicts
    }

    static func put(_ conflict: ConflictRow, _ db: Database) throws {
        var upsert = try SQLStatement(
            db,
            """
            INSERT INTO conflict VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (copy) DO UPDATE SET original = excluded.original, record = excluded.record,
                fields = excluded.fields, hash = excluded.hash, at = excluded.at, zone_user = excluded.zone_user,
                zone_at = excluded.zone_at
            WHERE (original, record, fields, hash, at, zone_user, zone_at)
                IS NOT (excluded.original, excluded.record, excluded.fields, excluded.hash, excluded.at,
                    excluded.zone_user, excluded.zone_at)
            """)
        upsert.bind(conflict.copy)
        upsert.bind(conflict.original)
        upsert.bind(conflict.record)
        upsert.bind(LineList.text(conflict.fields))
        upsert.bind(conflict.hash)
        upsert.bind(conflict.atMilliseconds)
        upsert.bind(conflict.zone.user)
        upsert.bind(conflict.zone.milliseconds)
        try upsert.run()
    }

    static func remove(_ copy: FolderPath, _ db: Database) throws {
        var delete = try SQLStatement(db, "DELETE FROM conflict WHERE copy = ?")
        delete.bind(copy)
        try delete.run()
    }
}
