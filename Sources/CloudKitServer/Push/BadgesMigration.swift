import GRDB

/// Lets each device's badge be counted up.
enum BadgesMigration {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("7: badges") { db in
            // How many pushes of subscriptions with `shouldBadge` the token's device was sent.
            try db.execute(sql: "ALTER TABLE push_tokens ADD COLUMN badge INTEGER NOT NULL DEFAULT 0")
        }
    }
}
