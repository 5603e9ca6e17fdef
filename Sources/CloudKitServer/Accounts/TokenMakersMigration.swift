import GRDB

/// By what API tokens were made, for whom, and when they were last used.
enum TokenMakersMigration {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("10: makers of API tokens") { db in
            for statement in statements { try db.execute(sql: statement) }
        }
    }

    /// Nothing is guessed of the tokens that are there: `user add` and `token add` left the same row.
    private static let statements = [
        // 'user add', 'invitation' or 'token add'; NULL: made by an earlier version.
        "ALTER TABLE api_tokens ADD COLUMN made_by TEXT",
        // As in users at that time; NULL: for nobody, or made by an earlier version.
        "ALTER TABLE api_tokens ADD COLUMN user_name TEXT",
        // May lag by an hour, and by more on a full disk; NULL: never, or not since it is written down.
        "ALTER TABLE api_tokens ADD COLUMN used_at INTEGER",
    ]
}
