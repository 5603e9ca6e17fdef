import GRDB

/// Makes room for shares, for who takes part in them, and for the shared database of each account.
enum SharingMigration {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("5: shares and shared databases") { db in
            for statement in statements { try db.execute(sql: statement) }
        }
    }

    private static let statements = [
        """
        INSERT OR IGNORE INTO databases (container, environment, scope, owner_id, last_change)
        SELECT container, environment, 'shared', owner_id, 1 FROM databases WHERE scope = 'private'
        """,
        """
        CREATE TABLE shares (
            record_id         INTEGER PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE,  -- the share as a record
            zone_id           INTEGER NOT NULL REFERENCES zones (id) ON DELETE CASCADE,
            root_name         TEXT,           -- the record at the top of the hierarchy; NULL: the whole zone
            public_permission TEXT NOT NULL,  -- 'NONE', 'READ_ONLY' or 'READ_WRITE'
            UNIQUE (zone_id, root_name)
        ) STRICT
        """,
        """
        CREATE TABLE participants (
            share_id       INTEGER NOT NULL REFERENCES shares (record_id) ON DELETE CASCADE,
            participant_id TEXT NOT NULL,     -- a UUID
            user_id        INTEGER REFERENCES users (id) ON DELETE CASCADE,  -- NULL: nobody known yet by the lookup
            lookup         TEXT,              -- the wire's JSON: by what the person was invited
            kind           TEXT NOT NULL,     -- 'OWNER', 'ADMINISTRATOR', 'USER' or 'PUBLIC_USER'
            acceptance     TEXT NOT NULL,     -- 'INVITED' or 'ACCEPTED'
            permission     TEXT NOT NULL,     -- 'READ_ONLY' or 'READ_WRITE'
            PRIMARY KEY (share_id, participant_id)
        ) STRICT
        """,
        "CREATE INDEX participants_by_user ON participants (user_id)",
        """
        CREATE TABLE short_guids (
            guid        TEXT NOT NULL PRIMARY KEY,
            zone_id     INTEGER NOT NULL REFERENCES zones (id) ON DELETE CASCADE,
            record_name TEXT NOT NULL,        -- a record that is or can be shared, or the share of the whole zone
            UNIQUE (zone_id, record_name)
        ) STRICT
        """,
        """
        CREATE TABLE shared_records (
            share_id INTEGER NOT NULL REFERENCES shares (record_id) ON DELETE CASCADE,
            zone_id  INTEGER NOT NULL,
            name     TEXT NOT NULL,
            visible  INTEGER NOT NULL,        -- 0: was in the hierarchy once
            change   INTEGER NOT NULL,        -- when it last came, went, or was saved, by the owner's change counter
            PRIMARY KEY (share_id, name)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX shared_records_by_change ON shared_records (share_id, change)",
        // A record is in one hierarchy at a time.
        "CREATE UNIQUE INDEX visible_shared_records ON shared_records (zone_id, name) WHERE visible = 1",
        """
        CREATE TABLE shared_zones (
            id                INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again: sync tokens carry it
            database_id       INTEGER NOT NULL REFERENCES databases (id) ON DELETE CASCADE,  -- a shared one
            zone_id           INTEGER NOT NULL,  -- of the owner's database; it may be gone
            name              TEXT NOT NULL,
            owner_record_name TEXT NOT NULL,
            shares            TEXT NOT NULL,     -- the rows of the shares by which it is seen, as '3,7'
            deleted           INTEGER NOT NULL,  -- 1: a tombstone
            last_change       INTEGER NOT NULL,  -- by the shared database's change counter
            UNIQUE (database_id, zone_id)
        ) STRICT
        """,
        "CREATE INDEX shared_zones_by_zone ON shared_zones (zone_id)",
        "CREATE INDEX shared_zones_by_change ON shared_zones (database_id, last_change)",
        // What hangs below a record is found by it.
        "CREATE INDEX records_by_parent ON records (zone_id, parent) WHERE parent IS NOT NULL",
    ]
}
