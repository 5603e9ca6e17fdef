import GRDB
import StateRows
import SyncModel

/// The rows of `version`.
enum VersionTable {
    /// Keeps the text on which both sides agree so far, if the record has one.
    static func keep(_ name: RecordName, _ keeping: Outcome.Keeping, _ db: Database) throws {
        var insert = try SQLStatement(
            db,
            """
            INSERT INTO version (path, at, written, reason, executable, document)
            SELECT path, ?, modified_ns / 1000000, ?, executable, document FROM base
            WHERE name = ? AND document IS NOT NULL
            """)
        insert.bind(keeping.atMilliseconds)
        insert.bind(keeping.reason.rawValue)
        insert.bind(name)
        try insert.run()
    }

    static func all(_ db: Database) throws -> [KeptDocument] {
        var rows = try SQLStatement(
            db,
            """
            SELECT id, path, at, written, reason, executable, substr(document, 1, 6), length(document) FROM version
            ORDER BY at DESC, id DESC
            """)
        var versions: [KeptDocument] = []
        while try rows.step() {
            guard let reason = KeptReason(rawValue: rows.text(4)) else { throw rows.damaged(4, "reason") }
            versions.append(
                KeptDocument(
                    id: rows.int64(0), path: try rows.path(1), atMilliseconds: rows.int64(2),
                    writtenMilliseconds: rows.int64(3), reason: reason, executable: rows.bool(5),
                    size: try rows.unpackedSize(6)))
        }
        return versions
    }

    static func agreed(_ db: Database) throws -> [AgreedDocument] {
        var rows = try SQLStatement(
            db,
            """
            SELECT name, path, hash, executable, modified_ns, substr(document, 1, 6), length(document) FROM base
            WHERE document IS NOT NULL
            """)
        var documents: [AgreedDocument] = []
        while try rows.step() {
            documents.append(
                AgreedDocument(
                    record: rows.name(0), path: try rows.path(1), hash: try rows.hash(2), executable: rows.bool(3),
                    modified: rows.int64(4), size: try rows.unpackedSize(5)))
        }
        return documents
    }

    static func document(_ id: Int64, _ db: Database) throws -> [UInt8]? {
        var row = try SQLStatement(db, "SELECT document FROM version WHERE id = ?")
        row.bind(id)
        defer { row.rewind() }
        return try row.step() ? try row.unpackedOrNil(0) : nil
    }

    /// Removes what is older than a time, then the oldest until the rest is small enough.
    /// - Returns: The count.
    static func prune(before milliseconds: Int64, maxBytes: Int64, _ db: Database) throws -> Int {
        var old = try SQLStatement(db, "DELETE FROM version WHERE at < ?")
        old.bind(milliseconds)
        try old.run()
        var removed = db.changesCount
        guard let newest = try newestSurplus(maxBytes: maxBytes, db) else { return removed }
        var surplus = try SQLStatement(db, "DELETE FROM version WHERE id <= ?")
        surplus.bind(newest)
        try surplus.run()
        removed += db.changesCount
        return removed
    }

    /// The newest text that is too much, with all before it.
    private static func newestSurplus(maxBytes: Int64, _ db: Database) throws -> Int64? {
        var rows = try SQLStatement(
            db, "SELECT id, substr(document, 1, 6), length(document) FROM version ORDER BY id DESC")
        var bytes: Int64 = 0
        while try rows.step() {
            bytes += try rows.unpackedSize(1)
            if bytes > maxBytes {
                defer { rows.rewind() }
                return rows.int64(0)
            }
        }
        return nil
    }
}
