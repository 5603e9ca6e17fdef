import GRDB
import StateRows
import SyncModel

/// The rows of `event` and `change`.
enum JournalTable {
    static func append(_ event: SyncEvent, keeping limit: Int, _ db: Database) throws -> Int64 {
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO event (kind, author, author_device, author_user, began, ended, outcome, error_code,
                    error_message, changed, deleted)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try insert.execute(
            arguments: [
                event.kind.rawValue, event.author.word, event.author.device, event.author.user, event.beganMilliseconds,
            ] + ending(of: event))
        let id = db.lastInsertedRowID
        try db.cachedStatement(sql: "DELETE FROM event WHERE id <= ?").execute(arguments: [id - Int64(limit)])
        return id
    }

    static func update(_ event: SyncEvent, _ db: Database) throws {
        let update = try db.cachedStatement(
            sql: """
                UPDATE event SET ended = ?, outcome = ?, error_code = ?, error_message = ?, changed = ?, deleted = ?
                WHERE id = ?
                """)
        try update.execute(
            arguments: ending(of: event) + [event.id])
    }

    static func removeEvent(_ id: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM event WHERE id = ?").execute(arguments: [id])
    }

    private static func ending(of event: SyncEvent) -> StatementArguments {
        var code: String?
        var message: String?
        if case .error(let errorCode, let errorMessage) = event.outcome { (code, message) = (errorCode, errorMessage) }
        let word: String? = event.outcome.map { $0 == .success ? "success" : "error" }
        return [event.endedMilliseconds, word, code, message, event.counts.changed, event.counts.deleted]
    }

    static func events(after id: Int64, limit: Int, _ db: Database) throws -> [SyncEvent] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM event WHERE id > ? ORDER BY id DESC LIMIT ?", arguments: [id, limit])
        return rows.reversed().compactMap { row in
            guard let kind = SyncEvent.Kind(rawValue: row["kind"]) else { return nil }
            let outcome: SyncEvent.Outcome? =
                switch row["outcome"] as String? {
                case "success": .success
                case "error": .error(code: row["error_code"] ?? "", message: row["error_message"] ?? "")
                default: nil
                }
            return SyncEvent(
                id: row["id"], kind: kind,
                author: Author(word: row["author"], device: row["author_device"], user: row["author_user"]),
                beganMilliseconds: row["began"], endedMilliseconds: row["ended"], outcome: outcome,
                counts: SyncEvent.Counts(changed: row["changed"], deleted: row["deleted"]))
        }
    }

    static func append(_ changes: [JournalEntry], keeping limit: Int, _ db: Database) throws {
        guard !changes.isEmpty else { return }
        var insert = try SQLStatement(
            db,
            """
            INSERT INTO change (event, at, action, author, author_device, author_user, path, record)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
        for change in changes {
            insert.bind(change.event)
            insert.bind(change.atMilliseconds)
            insert.bind(change.action)
            insert.bind(change.author.word)
            insert.bind(change.author.device)
            insert.bind(change.author.user)
            insert.bind(change.path?.bytes)
            insert.bind(change.record?.rawValue)
            try insert.run()
        }
        let newest = db.lastInsertedRowID
        try db.cachedStatement(sql: "DELETE FROM change WHERE id <= ?").execute(arguments: [newest - Int64(limit)])
    }

    static func beginning(of kind: SyncEvent.Kind, at moment: Int64, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT began FROM event WHERE kind = ? AND began <= ? AND (ended IS NULL OR ended >= ?)
                ORDER BY id DESC LIMIT 1
                """,
            arguments: [kind.rawValue, moment, moment])
    }

    static func changes(after id: Int64, limit: Int, _ db: Database) throws -> [JournalEntry] {
        var rows = try SQLStatement(
            db,
            """
            SELECT id, event, at, action, author, author_device, author_user, path, record FROM change
            WHERE id > ? ORDER BY id DESC LIMIT ?
            """)
        rows.bind(id)
        rows.bind(Int64(limit))
        return try changes(in: &rows).reversed()
    }

    static func changes(of event: Int64, _ db: Database) throws -> [JournalEntry] {
        var rows = try SQLStatement(
            db,
            """
            SELECT id, event, at, action, author, author_device, author_user, path, record FROM change
            WHERE event = ? ORDER BY id
            """)
        rows.bind(event)
        return try changes(in: &rows)
    }

    private static func changes(in rows: inout SQLStatement) throws -> [JournalEntry] {
        var changes: [JournalEntry] = []
        while try rows.step() {
            var change = JournalEntry(
                event: rows.int64OrNil(1), atMilliseconds: rows.int64(2), action: rows.text(3),
                author: Author(word: rows.text(4), device: rows.textOrNil(5), user: rows.textOrNil(6)),
                path: rows.isNull(7) ? nil : try rows.path(7), record: rows.textOrNil(8).map { RecordName($0) })
            change.id = rows.int64(0)
            changes.append(change)
        }
        return changes
    }
}

extension Author {
    /// The author in one word, as the tables have it.
    var word: String {
        switch self {
        case .person: "person"
        case .device: "device"
        case .other: "other"
        case .unknown: "unknown"
        case .merge: "merge"
        case .restore: "restore"
        }
    }

    var device: String? {
        switch self {
        case .device(let name), .other(_, let name): name
        case .person, .unknown, .merge, .restore: nil
        }
    }

    var user: String? {
        if case .other(let user, _) = self { user } else { nil }
    }

    init(word: String, device: String?, user: String?) {
        switch word {
        case "person": self = .person
        case "unknown": self = .unknown
        case "merge": self = .merge
        case "restore": self = .restore
        case "other": self = user.map { .other(user: $0, device: device) } ?? .device(device)
        default: self = .device(device)
        }
    }
}
