import GRDB
import StateRows

/// The rows of `deletion`.
enum DeletionTable {
    static func all(_ db: Database) throws -> [RecentDeletions] {
        var rows = try SQLStatement(db, "SELECT in_zone, at, count FROM deletion ORDER BY rowid")
        var deletions: [RecentDeletions] = []
        while try rows.step() {
            deletions.append(
                RecentDeletions(isInZone: rows.bool(0), atMilliseconds: rows.int64(1), count: Int(rows.int64(2))))
        }
        return deletions
    }

    static func replace(with deletions: [RecentDeletions], _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM deletion").execute()
        var insert = try SQLStatement(db, "INSERT INTO deletion (in_zone, at, count) VALUES (?, ?, ?)")
        for some in deletions {
            insert.bind(some.isInZone)
            insert.bind(some.atMilliseconds)
            insert.bind(Int64(some.count))
            try insert.run()
        }
    }
}
