import GRDB
import StateRows
import SyncModel

/// The rows of `sent`.
enum SentTable {
    static func all(_ db: Database) throws -> [SentVersion] {
        var rows = try SQLStatement(
            db,
            """
            SELECT name, hash, record_type, path, executable, assets, device, inode, document, born_ns FROM sent
            ORDER BY name, rowid
            """)
        var versions: [SentVersion] = []
        while try rows.step() {
            guard let assets = LineList.agreedAssets(rows.bytes(5)) else { throw rows.damaged(5, "assets") }
            versions.append(
                SentVersion(
                    entry: BaseEntry(
                        name: rows.name(0), recordType: rows.text(2), path: try rows.path(3), hash: try rows.hash(1),
                        executable: rows.bool(4), changeTag: "", assets: assets,
                        file: FileIdentity(device: rows.uint64(6), inode: rows.uint64(7), born: rows.int64(9))),
                    document: try rows.unpackedOrNil(8)))
        }
        return versions
    }

    static func put(_ version: SentVersion, _ db: Database) throws {
        var upsert = try SQLStatement(db, "INSERT OR REPLACE INTO sent VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        let entry = version.entry
        upsert.bind(entry.name)
        upsert.bind(entry.hash)
        upsert.bind(entry.recordType)
        upsert.bind(entry.path)
        upsert.bind(entry.executable)
        upsert.bind(LineList.text(entry.assets))
        upsert.bind(entry.file.device)
        upsert.bind(entry.file.inode)
        upsert.bind(packing: version.document)
        upsert.bind(entry.file.born)
        try upsert.run()
    }

    /// Keeps the newest versions of a record.
    static func trim(_ name: RecordName, to count: Int, _ db: Database) throws {
        // To sort even one row takes a table of its own, and nearly every record has just that one.
        var known = try SQLStatement(db, "SELECT count(*) FROM sent WHERE name = ?")
        known.bind(name)
        defer { known.rewind() }
        guard try known.step(), known.int64(0) > count else { return }
        var delete = try SQLStatement(
            db,
            """
            DELETE FROM sent WHERE name = ?1 AND rowid NOT IN (
                SELECT rowid FROM sent WHERE name = ?1 ORDER BY rowid DESC LIMIT ?2)
            """)
        delete.bind(name)
        delete.bind(Int64(count))
        try delete.run()
    }

    /// Forgets the versions of records that a listing did not name.
    static func keep(namedIn listing: Int64, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM sent WHERE name NOT IN (SELECT name FROM remote WHERE listing = ?)",
            arguments: [listing])
    }

    static func remove(_ name: RecordName, hash: ContentHash, _ db: Database) throws {
        var delete = try SQLStatement(db, "DELETE FROM sent WHERE name = ? AND hash = ?")
        delete.bind(name)
        delete.bind(hash)
        try delete.run()
    }

    static func remove(_ name: RecordName, _ db: Database) throws {
        var delete = try SQLStatement(db, "DELETE FROM sent WHERE name = ?")
        delete.bind(name)
        try delete.run()
    }
}
