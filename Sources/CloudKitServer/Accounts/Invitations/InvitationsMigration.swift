import GRDB

/// Invitations, each good once.
enum InvitationsMigration {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("8: invitations") { db in
            try db.execute(
                sql: """
                    CREATE TABLE invitations (
                        hash        BLOB NOT NULL PRIMARY KEY,  -- SHA-256 of the secret's text
                        container   TEXT NOT NULL,
                        environment TEXT NOT NULL,              -- 'development' or 'production'
                        user_name   TEXT NOT NULL,              -- as in users, where redeeming it makes this person
                        zone        TEXT NOT NULL,              -- what the folder is to be
                        callback    TEXT,                       -- of the API token that redeeming it makes
                        created_at  INTEGER NOT NULL,
                        expires_at  INTEGER NOT NULL,
                        used_at     INTEGER                     -- NULL: not redeemed yet
                    ) STRICT
                    """)
        }
    }
}
