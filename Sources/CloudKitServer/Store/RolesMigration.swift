import GRDB

/// The roles that people have, and an index for the subscriptions that a save may fire.
enum RolesMigration {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("6: roles") { db in
            for statement in statements { try db.execute(sql: statement) }
        }
    }

    private static let statements = [
        """
        CREATE TABLE user_roles (
            user_id     INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            environment TEXT NOT NULL,     -- 'development' or 'production'
            role        TEXT NOT NULL,     -- of schema_roles; one that the schema lost grants nothing
            PRIMARY KEY (user_id, environment, role)
        ) STRICT, WITHOUT ROWID
        """,
        // Every save looks for the subscriptions to its record types.
        """
        CREATE INDEX subscriptions_by_record_type
        ON subscriptions (database_id, type, json_extract(dictionary, '$.query.recordType'))
        """,
    ]
}
