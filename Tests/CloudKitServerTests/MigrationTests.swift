import GRDB
import Testing

@testable import CloudKitServer

@Suite("Data directories of older versions")
struct MigrationTests {
    /// What a database of the first version holds.
    private static let data = [
        "INSERT INTO users VALUES (1, 'iCloud.example', 'ada', '_0123', 5)",
        "INSERT INTO databases VALUES (7, 'iCloud.example', 'development', 'private', 1, 9)",
        "INSERT INTO zones VALUES (3, 7, 'Folder', 0, 9)",
        """
        INSERT INTO records (id, zone_id, name, type, change, fields, size_bytes, created_at, created_by, modified_at,
            modified_by) VALUES (4, 3, 'n', 'Note', 9, '{}', 0, 5, '_0123', 5, '_0123')
        """,
        "INSERT INTO record_references VALUES (4, 'f', 3, 'm', 'VALIDATE')",
        "INSERT INTO schema_fields VALUES ('iCloud.example', 'development', 'Note', '', '')",
        "INSERT INTO subscriptions VALUES (7, 's', 'zone', 3, '{}')",
        "INSERT INTO push_tokens VALUES (x'00', 1, 'development', NULL, 5)",
    ]

    @Test("Everything that the first version stored is there afterwards, and belongs to whom it belonged")
    func first() throws {
        let queue = try DatabaseQueue()
        let first = try #require(Migrations.migrator.migrations.first)
        try Migrations.migrator.migrate(queue, upTo: first)
        try queue.write { db in
            for statement in Self.data { try db.execute(sql: statement) }
        }
        try Migrations.migrator.migrate(queue)
        try queue.write { db in
            for table in [
                "users", "zones", "records", "record_references", "subscriptions", "push_tokens",
            ] {
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") == 1, "\(table)")
            }
            // Everyone has a shared database since.
            #expect(
                try String.fetchAll(db, sql: "SELECT scope FROM databases ORDER BY id") == ["private", "shared"])
            #expect(try Int.fetchOne(db, sql: "SELECT user_id FROM subscriptions WHERE subscription_id = 's'") == 1)
            #expect(try Int.fetchOne(db, sql: "SELECT last_change FROM databases WHERE scope = 'private'") == 9)
            #expect(try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty)
            // And the rows still hang together: with the person all of it goes.
            try db.execute(sql: "DELETE FROM users")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM records") == 0)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM subscriptions") == 0)
        }
    }

    @Test("A public database belongs to nobody, a private one to somebody, and a container has one public one")
    func scopes() throws {
        let queue = try DatabaseQueue()
        try Migrations.migrator.migrate(queue)
        let insert =
            "INSERT INTO databases (container, environment, scope, owner_id, last_change) VALUES ('c', 'd', ?, ?, 1)"
        try queue.write { db in
            try db.execute(sql: insert, arguments: ["public", nil])
            #expect(throws: DatabaseError.self) { try db.execute(sql: insert, arguments: ["public", nil]) }
            #expect(throws: DatabaseError.self) { try db.execute(sql: insert, arguments: ["private", nil]) }
        }
    }
}
