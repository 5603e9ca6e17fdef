import GRDB
import SyncModel

/// The rows of `base`.
enum BaseTable {
    /// In no order.
    static func each(_ db: Database, _ take: (BaseEntry) -> Void) throws {
        var rows = try SQLStatement(
            db,
            """
            SELECT name, record_type, path, hash, executable, change_tag, assets, device, inode, created, modified_ns,
                standing, born_ns, renewal, partial
            FROM base
            """)
        while try rows.step() {
            guard let assets = LineList.agreedAssets(rows.bytes(6)) else { throw rows.damaged(6, "assets") }
            guard let standing = BaseEntry.Standing(rawValue: rows.int64(11)) else {
                throw rows.damaged(11, "standing")
            }
            take(
                BaseEntry(
                    name: rows.name(0), recordType: rows.text(1), path: try rows.path(2), hash: try rows.hash(3),
                    executable: rows.bool(4), changeTag: rows.text(5), createdMilliseconds: rows.int64(9),
                    assets: assets,
                    file: FileIdentity(device: rows.uint64(7), inode: rows.uint64(8), born: rows.int64(12)),
                    modified: rows.int64(10), standing: standing, renewal: rows.text(13), isPartial: rows.bool(14)))
        }
    }

    static func document(_ name: RecordName, _ db: Database) throws -> [UInt8]? {
        var row = try SQLStatement(db, "SELECT document FROM base WHERE name = ?")
        row.bind(name)
        defer { row.rewind() }
        return try row.step() ? try row.unpackedOrNil(0) : nil
    }

    static func put(_ entry: BaseEntry, document: [UInt8]?, _ db: Database) throws {
        var upsert = try SQLStatement(
            db,
            """
            INSERT INTO base VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET
                record_type = excluded.record_type, path = excluded.path, hash = excluded.hash,
                executable = excluded.executable, change_tag = excluded.change_tag, assets = excluded.assets,
                device = excluded.device, inode = excluded.inode, document = excluded.document,
                created = excluded.created, modified_ns = excluded.modified_ns, standing = excluded.standing,
                born_ns = excluded.born_ns, renewal = excluded.renewal, partial = excluded.partial
            WHERE (record_type, path, hash, executable, change_tag, assets, device, inode, document, created,
                    modified_ns, standing, born_ns, renewal, partial)
                IS NOT (excluded.record_type, excluded.path, excluded.hash, excluded.executable, excluded.change_tag,
                    excluded.assets, excluded.device, excluded.inode, excluded.document, excluded.created,
                    excluded.modified_ns, excluded.standing, excluded.born_ns, excluded.renewal, excluded.partial)
            """)
        upsert.bind(entry.name)
        upsert.bind(entry.recordType)
        upsert.bind(entry.path)
        upsert.bind(entry.hash)
        upsert.bind(entry.executable)
        upsert.bind(entry.changeTag)
        upsert.bind(LineList.text(entry.assets))
        upsert.bind(entry.file.device)
        upsert.bind(entry.file.inode)
        upsert.bind(packing: document)
        upsert.bind(entry.createdMilliseconds)
        upsert.bind(entry.modified)
        upsert.bind(entry.standing.rawValue)
        upsert.bind(entry.file.born)
        upsert.bind(entry.renewal)
        upsert.bind(entry.isPartial)
        try upsert.run()
    }

    static func note(_ standings: [RecordName: BaseEntry.Standing], _ db: Database) throws {
        var update = try SQLStatement(db, "UPDATE base SET standing = ? WHERE name = ?")
        for (name, standing) in standings {
            update.bind(standing.rawValue)
            update.bind(name)
            try update.run()
        }
    }

    static func notePartial(_ name: RecordName, _ db: Database) throws {
        var update = try SQLStatement(db, "UPDATE base SET partial = 1 WHERE name = ?")
        update.bind(name)
        try update.run()
    }

    /// Takes over which files records have, and when these changed last.
    static func noteFiles(_ entries: [BaseEntry], _ db: Database) throws {
        guard !entries.isEmpty else { return }
        var update = try SQLStatement(
            db,
            "UPDATE base SET device = ?, inode = ?, born_ns = ?, modified_ns = ?, assets = ? WHERE name = ?")
        for entry in entries {
            update.bind(entry.file.device)
            update.bind(entry.file.inode)
            update.bind(entry.file.born)
            update.bind(entry.modified)
            update.bind(LineList.text(entry.assets))
            update.bind(entry.name)
            try update.run()
        }
    }

    /// Whether anything was agreed on.
    static func hasRows(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM base)") ?? false
    }

    /// Forgets all but those records that a listing named as this device saved them.
    static func keepSaved(in listing: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM base WHERE NOT EXISTS (
                    SELECT 1 FROM remote WHERE remote.name = base.name AND remote.change_tag = base.change_tag
                        AND remote.created = base.created AND remote.listing = ?)
                """, arguments: [listing])
    }

    /// Removes a record and its tombstone, which has done its work.
    static func remove(_ name: RecordName, _ db: Database) throws {
        for sql in ["DELETE FROM base WHERE name = ?", "DELETE FROM tombstone WHERE name = ?"] as [StaticString] {
            var delete = try SQLStatement(db, sql)
            delete.bind(name)
            try delete.run()
        }
    }
}
