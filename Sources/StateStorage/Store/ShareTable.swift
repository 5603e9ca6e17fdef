import GRDB
import StateRows
import SyncModel

/// The rows of `share`.
enum ShareTable {
    static func all(_ db: Database) throws -> [ZoneShare] {
        var rows = try SQLStatement(db, "SELECT name, permission, root FROM share ORDER BY name")
        var shares: [ZoneShare] = []
        while try rows.step() {
            shares.append(
                ZoneShare(
                    name: rows.name(0), permission: rows.textOrNil(1).flatMap(ZoneShare.Permission.init(rawValue:)),
                    root: rows.textOrNil(2).map { RecordName($0) }))
        }
        return shares
    }

    /// Takes over what was learnt; what a row leaves out stays as it was known.
    static func put(_ shares: [ZoneShare], _ db: Database) throws {
        guard !shares.isEmpty else { return }
        var upsert = try SQLStatement(
            db,
            """
            INSERT INTO share VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET
                permission = coalesce(excluded.permission, permission), root = coalesce(excluded.root, root)
            """)
        for share in shares {
            upsert.bind(share.name)
            upsert.bind(share.permission?.rawValue)
            upsert.bind(share.root?.rawValue)
            try upsert.run()
        }
    }

    /// Forgets shares that are no more; of other records it knows nothing.
    static func remove(_ names: [RecordName], _ db: Database) throws {
        guard !names.isEmpty, try !all(db).isEmpty else { return }
        var delete = try SQLStatement(db, "DELETE FROM share WHERE name = ?")
        for name in names {
            delete.bind(name)
            try delete.run()
        }
    }

    static func removeAll(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM share")
    }
}
