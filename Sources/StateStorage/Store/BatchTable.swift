import GRDB
import StateRows

/// The rows of `batch`.
enum BatchTable {
    static func all(_ db: Database) throws -> [BatchAwaitingApproval] {
        try Row.fetchAll(db, sql: "SELECT * FROM batch ORDER BY since, id").map { row in
            var batch = BatchAwaitingApproval(
                id: row["id"], code: row["code"], message: row["message"], count: row["count"],
                sinceMilliseconds: row["since"])
            batch.approvedMilliseconds = row["approved"]
            return batch
        }
    }

    static func put(_ batch: BatchAwaitingApproval, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                batch.id, batch.code, batch.message, batch.count, batch.sinceMilliseconds, batch.approvedMilliseconds,
            ])
    }

    static func remove(_ id: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM batch WHERE id = ?", arguments: [id])
    }

    static func setCode(_ code: String, of id: String, _ db: Database) throws {
        try db.execute(sql: "UPDATE batch SET code = ? WHERE id = ?", arguments: [code, id])
    }

    static func approve(_ id: String, now: Int64, _ db: Database) throws {
        try db.execute(sql: "UPDATE batch SET approved = ? WHERE id = ? AND approved IS NULL", arguments: [now, id])
    }
}
