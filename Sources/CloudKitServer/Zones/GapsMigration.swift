import GRDB

/// The numbers that no change has (``RecordStore/beginRun()``).
enum GapsMigration {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("9: gaps") { db in
            try db.execute(
                sql: """
                    CREATE TABLE gaps (
                        database_id INTEGER NOT NULL REFERENCES databases (id) ON DELETE CASCADE,
                        after       INTEGER NOT NULL,  -- the last change before
                        until       INTEGER NOT NULL,  -- where the counter went on
                        PRIMARY KEY (database_id, after)
                    ) STRICT, WITHOUT ROWID
                    """)
        }
    }
}
