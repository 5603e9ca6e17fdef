import GRDB

/// Makes room for databases that belong to a container and not to a person, and for the subscriptions of many people in
/// one database.
enum PublicDatabaseMigration {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("4: public databases") { db in
            for statement in statements { try db.execute(sql: statement) }
        }
    }

    private static let statements = [
        """
        CREATE TABLE new_databases (
            id          INTEGER PRIMARY KEY,
            container   TEXT NOT NULL,
            environment TEXT NOT NULL,
            scope       TEXT NOT NULL,         -- 'private' or 'public'
            owner_id    INTEGER REFERENCES users (id) ON DELETE CASCADE,  -- NULL: public
            last_change INTEGER NOT NULL,      -- the change counter
            UNIQUE (owner_id, environment, scope),
            CHECK ((owner_id IS NULL) = (scope = 'public'))
        ) STRICT
        """,
        "INSERT INTO new_databases SELECT id, container, environment, scope, owner_id, last_change FROM databases",
        "DROP TABLE databases",
        "ALTER TABLE new_databases RENAME TO databases",
        "CREATE UNIQUE INDEX public_databases ON databases (container, environment) WHERE scope = 'public'",
        """
        CREATE TABLE new_subscriptions (
            database_id     INTEGER NOT NULL REFERENCES databases (id) ON DELETE CASCADE,
            user_id         INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,  -- whose devices are told
            subscription_id TEXT NOT NULL,
            type            TEXT NOT NULL,    -- 'zone', 'query' or 'database'
            zone_id         INTEGER REFERENCES zones (id) ON DELETE CASCADE,  -- NULL: not bound to one
            dictionary      TEXT NOT NULL,    -- the wire's JSON
            PRIMARY KEY (database_id, user_id, subscription_id)
        ) STRICT
        """,
        """
        INSERT INTO new_subscriptions SELECT s.database_id, d.owner_id, s.subscription_id, s.type, s.zone_id, s.dictionary
        FROM subscriptions s JOIN databases d ON d.id = s.database_id
        """,
        "DROP TABLE subscriptions",
        "ALTER TABLE new_subscriptions RENAME TO subscriptions",
        "CREATE INDEX subscriptions_by_zone ON subscriptions (zone_id)",
        // Queries read one type's records in the order of their names.
        "CREATE INDEX records_by_type ON records (zone_id, type, name)",
    ]
}
