import GRDB
import SystemPackage

/// The schema of `server.sqlite`. Times are milliseconds since 1970, UTC.
///
/// Every save takes the next value of its database's change counter. That value orders the change feed, is the record's
/// change tag (in base 36) and the position in sync tokens; it never goes back, and each run of a server leaves numbers out, so
/// no tag or token ever names two states, nor where a backup was restored.
enum Migrations {
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: accounts, records, subscriptions") { db in
            for statement in accounts + records + subscriptions {
                try db.execute(sql: statement)
            }
        }
        SchemaMigration.register(in: &migrator)
        migrator.registerMigration("3: passwords, origins, server keys") { db in
            for statement in accountsOfTheirOwn { try db.execute(sql: statement) }
        }
        PublicDatabaseMigration.register(in: &migrator)
        SharingMigration.register(in: &migrator)
        RolesMigration.register(in: &migrator)
        BadgesMigration.register(in: &migrator)
        InvitationsMigration.register(in: &migrator)
        GapsMigration.register(in: &migrator)
        TokenMakersMigration.register(in: &migrator)
        return migrator
    }()

    /// Brings a server's database up to date, or makes one.
    /// - Throws: ``ServerError`` as ``check(_:at:)``.
    static func migrate(_ writer: any DatabaseWriter) throws {
        try writer.writeWithoutTransaction { try check($0, at: FilePath(writer.path)) }
        try migrator.migrate(writer)
    }

    /// Makes sure that a database is an empty one, or a server's of this version or an earlier one. This version does not
    /// know what a later one's tables mean: what it wrote there could lose what clients were told is saved.
    /// - Throws: ``ServerError`` `newer` or `damaged`.
    static func check(_ db: Database, at file: FilePath) throws {
        let applied = try migrator.appliedIdentifiers(db)
        let isEmpty =
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM sqlite_master WHERE name <> 'grdb_migrations' AND name NOT LIKE 'sqlite%'
                    """) == 0
        guard isEmpty || !applied.isDisjoint(with: migrator.migrations) else { throw ServerError.foreignData(file) }
        guard try !migrator.hasBeenSuperseded(db) else { throw ServerError.newerData(file.removingLastComponent()) }
    }

    private static let accounts = [
        """
        CREATE TABLE server (
            name  TEXT NOT NULL PRIMARY KEY,  -- 'key': signs tokens, receipts and links; 'starts': how often opened
            value ANY NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE users (
            id          INTEGER PRIMARY KEY,
            container   TEXT NOT NULL,
            name        TEXT NOT NULL,     -- what the server's owner calls this person
            record_name TEXT NOT NULL,     -- '_' and 32 hexadecimal digits
            created_at  INTEGER NOT NULL,
            UNIQUE (container, name),
            UNIQUE (container, record_name)
        ) STRICT
        """,
        """
        CREATE TABLE api_tokens (
            hash        BLOB NOT NULL PRIMARY KEY,  -- SHA-256 of the token's text
            container   TEXT NOT NULL,
            environment TEXT NOT NULL,              -- 'development' or 'production'
            created_at  INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE sessions (
            id          INTEGER PRIMARY KEY,   -- random; a web auth token carries it
            user_id     INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            environment TEXT NOT NULL,
            created_at  INTEGER NOT NULL,
            expires_at  INTEGER,               -- NULL: never
            void_up_to  INTEGER NOT NULL       -- web auth tokens up to this number are refused; may lag, see Rotation
        ) STRICT
        """,
        """
        CREATE TABLE databases (
            id          INTEGER PRIMARY KEY,
            container   TEXT NOT NULL,
            environment TEXT NOT NULL,
            scope       TEXT NOT NULL,         -- 'private'
            owner_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            last_change INTEGER NOT NULL,      -- the change counter
            UNIQUE (owner_id, environment, scope)
        ) STRICT
        """,
    ]

    private static let records = [
        """
        CREATE TABLE zones (
            id          INTEGER PRIMARY KEY AUTOINCREMENT,  -- one for each incarnation, never used again
            database_id INTEGER NOT NULL REFERENCES databases (id) ON DELETE CASCADE,
            name        TEXT NOT NULL,
            deleted     INTEGER NOT NULL,     -- 1: a tombstone, until a zone of this name comes again
            last_change INTEGER NOT NULL,     -- of the zone or one of its records
            UNIQUE (database_id, name)
        ) STRICT
        """,
        """
        CREATE INDEX zones_by_change ON zones (database_id, last_change)
        """,
        """
        CREATE TABLE records (
            id          INTEGER PRIMARY KEY,
            zone_id     INTEGER NOT NULL REFERENCES zones (id) ON DELETE CASCADE,
            name        TEXT NOT NULL,
            type        TEXT,                 -- NULL in a tombstone
            change      INTEGER NOT NULL,     -- when it was last saved or deleted, by the change counter
            fields      TEXT,                 -- the wire's JSON, every value with its type; NULL: a tombstone
            size_bytes  INTEGER NOT NULL,     -- of keys and values, as the limit counts them
            created_at  INTEGER NOT NULL,
            created_by  TEXT NOT NULL,        -- user record name
            modified_at INTEGER NOT NULL,
            modified_by TEXT NOT NULL,        -- user record name
            parent      TEXT,                 -- record name
            UNIQUE (zone_id, name)
        ) STRICT
        """,
        """
        CREATE UNIQUE INDEX records_by_change ON records (zone_id, change)
        """,
        """
        CREATE TABLE record_references (
            record_id      INTEGER NOT NULL REFERENCES records (id) ON DELETE CASCADE,
            field          TEXT NOT NULL,
            target_zone_id INTEGER NOT NULL,
            target_name    TEXT NOT NULL,
            action         TEXT NOT NULL      -- 'DELETE_SELF' or 'VALIDATE'; others need no row
        ) STRICT
        """,
        "CREATE INDEX record_references_by_record ON record_references (record_id)",
        "CREATE INDEX record_references_by_target ON record_references (target_zone_id, target_name, action)",
        """
        CREATE TABLE assets (
            checksum BLOB NOT NULL PRIMARY KEY,  -- the 21 bytes of fileChecksum
            sha256   BLOB NOT NULL,              -- the file's name under assets/
            size     INTEGER NOT NULL            -- bytes
        ) STRICT
        """,
        """
        CREATE TABLE asset_uses (
            record_id INTEGER NOT NULL REFERENCES records (id) ON DELETE CASCADE,
            field     TEXT NOT NULL,
            checksum  BLOB NOT NULL REFERENCES assets (checksum)
        ) STRICT
        """,
        "CREATE INDEX asset_uses_by_record ON asset_uses (record_id)",
        "CREATE INDEX asset_uses_by_asset ON asset_uses (checksum)",
        """
        CREATE TABLE schema_fields (
            container   TEXT NOT NULL,
            environment TEXT NOT NULL,
            record_type TEXT NOT NULL,
            field       TEXT NOT NULL,     -- '' stands for the record type itself
            type        TEXT NOT NULL,     -- as the wire spells it, with 'ENCRYPTED_' before an encrypted one
            PRIMARY KEY (container, environment, record_type, field)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    private static let subscriptions = [
        """
        CREATE TABLE subscriptions (
            database_id     INTEGER NOT NULL REFERENCES databases (id) ON DELETE CASCADE,
            subscription_id TEXT NOT NULL,
            type            TEXT NOT NULL,    -- 'zone', 'query' or 'database'
            zone_id         INTEGER REFERENCES zones (id) ON DELETE CASCADE,  -- NULL: not bound to one
            dictionary      TEXT NOT NULL,    -- the wire's JSON
            PRIMARY KEY (database_id, subscription_id)
        ) STRICT
        """,
        """
        CREATE TABLE push_tokens (
            hash        BLOB NOT NULL,     -- SHA-256 of the token's text
            user_id     INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            environment TEXT NOT NULL,
            client_id   TEXT,              -- the device, where it names itself
            expires_at  INTEGER NOT NULL,
            PRIMARY KEY (hash, user_id, environment)
        ) STRICT
        """,
        "CREATE INDEX push_tokens_by_user ON push_tokens (user_id, environment)",
    ]
}
