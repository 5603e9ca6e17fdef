import GRDB
import StateRows
import SyncModel

/// The rows of `remote` and `tombstone`: a record is in at most one of them.
enum RemoteTable {
    /// In no order.
    static func each(_ db: Database, _ take: (RemoteEntry) -> Void) throws {
        var rows = try SQLStatement(
            db, "SELECT name, record_type, change_tag, path, created, assets FROM remote")
        while try rows.step() { take(try entry(rows)) }
    }

    private static func entry(_ row: SQLStatement) throws -> RemoteEntry {
        guard let assets = LineList.assetVersions(row.bytes(5)) else { throw row.damaged(5, "assets") }
        return RemoteEntry(
            name: row.name(0), recordType: row.text(1), changeTag: row.text(2), path: try row.path(3),
            createdMilliseconds: row.int64(4), assets: assets)
    }

    static func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM remote") ?? 0
    }

    static func record(_ name: RecordName, _ db: Database) throws -> [UInt8]? {
        var row = try SQLStatement(db, "SELECT record FROM remote WHERE name = ?")
        row.bind(name)
        defer { row.rewind() }
        return try row.step() ? try row.unpacked(0) : nil
    }

    static func keepers(_ names: [RecordName]?, _ db: Database) throws -> [(name: RecordName, record: [UInt8])] {
        var found: [(name: RecordName, record: [UInt8])] = []
        guard let names else {
            var rows = try SQLStatement(db, "SELECT name, record FROM remote WHERE ties & 2")
            while try rows.step() { found.append((rows.name(0), try rows.unpacked(1))) }
            return found
        }
        var row = try SQLStatement(db, "SELECT record FROM remote WHERE name = ? AND ties & 2")
        for name in names {
            row.bind(name)
            while try row.step() { found.append((name, try row.unpacked(0))) }
        }
        return found
    }

    static func referrers(_ db: Database) throws -> [(name: RecordName, record: [UInt8])] {
        var found: [(name: RecordName, record: [UInt8])] = []
        var rows = try SQLStatement(db, "SELECT name, record FROM remote WHERE ties & 1")
        while try rows.step() { found.append((rows.name(0), try rows.unpacked(1))) }
        return found
    }

    static func row(_ name: RecordName, _ db: Database) throws -> RemoteRow? {
        var row = try SQLStatement(
            db,
            """
            SELECT name, record_type, change_tag, path, created, assets, creator.user, creator.device, modified,
                modifier.user, modifier.device, parent, share, record
            FROM remote LEFT JOIN author AS creator ON creator.id = created_by
                LEFT JOIN author AS modifier ON modifier.id = modified_by
            WHERE name = ?
            """)
        row.bind(name)
        defer { row.rewind() }
        guard try row.step() else { return nil }
        var found = RemoteRow(entry: try entry(row), record: try row.unpacked(13))
        found.createdBy = RemoteRow.Origin(user: row.textOrNil(6), device: row.textOrNil(7))
        found.modifiedMilliseconds = row.int64OrNil(8)
        found.modifiedBy = RemoteRow.Origin(user: row.textOrNil(9), device: row.textOrNil(10))
        found.parent = row.textOrNil(11)
        found.share = row.textOrNil(12)
        return found
    }

    static func tombstones(_ db: Database) throws -> Set<RecordName> {
        var rows = try SQLStatement(db, "SELECT name FROM tombstone")
        var names: Set<RecordName> = []
        while try rows.step() { names.insert(rows.name(0)) }
        return names
    }

    /// - Parameter confirmed: Whether the zone's feed named them. A save's answer takes nothing from what is confirmed,
    ///   so long as it is of the record that was created then.
    static func put(_ rows: [RemoteRow], listing: Int64, confirmed: Bool, _ db: Database) throws {
        guard !rows.isEmpty else { return }
        var unbury = try SQLStatement(db, "DELETE FROM tombstone WHERE name = ?")
        var authors = AuthorTable(db)
        var upsert = try SQLStatement(
            db,
            """
            INSERT INTO remote VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET
                record_type = excluded.record_type, change_tag = excluded.change_tag, path = excluded.path,
                created = excluded.created, created_by = excluded.created_by, modified = excluded.modified,
                modified_by = excluded.modified_by, parent = excluded.parent, share = excluded.share,
                assets = excluded.assets, listing = excluded.listing,
                confirmed = excluded.confirmed OR (confirmed AND created = excluded.created), ties = excluded.ties,
                record = excluded.record
            WHERE (record_type, change_tag, path, created, created_by, modified, modified_by, parent, share, assets,
                    listing, confirmed, ties, record)
                IS NOT (excluded.record_type, excluded.change_tag, excluded.path, excluded.created,
                    excluded.created_by, excluded.modified, excluded.modified_by, excluded.parent, excluded.share,
                    excluded.assets, excluded.listing,
                    excluded.confirmed OR (confirmed AND created = excluded.created), excluded.ties, excluded.record)
            """)
        for row in rows {
            unbury.bind(row.entry.name)
            try unbury.run()
            upsert.bind(row.entry.name)
            upsert.bind(row.entry.recordType)
            upsert.bind(row.entry.changeTag)
            upsert.bind(row.entry.path)
            upsert.bind(row.entry.createdMilliseconds)
            upsert.bind(try authors.number(of: row.createdBy))
            upsert.bind(row.modifiedMilliseconds)
            upsert.bind(try authors.number(of: row.modifiedBy))
            upsert.bind(row.parent)
            upsert.bind(row.share)
            upsert.bind(LineList.text(row.entry.assets))
            upsert.bind(listing)
            upsert.bind(confirmed)
            upsert.bind(RecordTies(of: row).rawValue)
            upsert.bind(packing: row.record)
            try upsert.run()
        }
    }

    /// Notes that the zone's feed named records as they are known.
    static func confirm(_ names: [RecordName], _ db: Database) throws {
        guard !names.isEmpty else { return }
        var update = try SQLStatement(db, "UPDATE remote SET confirmed = 1 WHERE name = ? AND confirmed = 0")
        for name in names {
            update.bind(name)
            try update.run()
        }
    }

    /// Whether one of the rows of a listing is a record of the base, and not another one of the same name: the feed named it
    /// before this listing, and it was created when that one was.
    static func knows(anyOf rows: [RemoteRow], before listing: Int64, _ db: Database) throws -> Bool {
        var query = try SQLStatement(
            db,
            """
            SELECT 1 FROM remote JOIN base USING (name)
            WHERE name = ? AND remote.created = ? AND confirmed = 1 AND listing < ?
            """)
        for row in rows {
            query.bind(row.entry.name)
            query.bind(row.entry.createdMilliseconds)
            query.bind(listing)
            if try query.step() {
                query.rewind()
                return true
            }
        }
        return false
    }

    /// Makes records tombstones; only those that the base has, since the others need no deletion here.
    static func bury(_ names: [RecordName], _ db: Database) throws {
        guard !names.isEmpty else { return }
        var delete = try SQLStatement(db, "DELETE FROM remote WHERE name = ?")
        var insert = try SQLStatement(
            db, "INSERT INTO tombstone SELECT name FROM base WHERE name = ? ON CONFLICT DO NOTHING")
        for name in names {
            delete.bind(name)
            try delete.run()
            insert.bind(name)
            try insert.run()
        }
    }

    /// Forgets the records that a listing did not name, and that any others were deleted.
    static func keep(namedIn listing: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM remote WHERE listing <> ?", arguments: [listing])
        try db.execute(sql: "DELETE FROM tombstone")
    }

    /// Records that the listing which just ended did not name.
    static func unseen(listing: Int64, _ db: Database) throws -> [RecordName] {
        var rows = try SQLStatement(db, "SELECT name FROM remote WHERE listing <> ? ORDER BY name")
        rows.bind(listing)
        var names: [RecordName] = []
        while try rows.step() { names.append(rows.name(0)) }
        return names
    }

    /// Records of the base that the remote tree lacks and that are no tombstones yet.
    static func missing(_ db: Database) throws -> [RecordName] {
        var rows = try SQLStatement(
            db,
            """
            SELECT name FROM base
            WHERE name NOT IN (SELECT name FROM remote) AND name NOT IN (SELECT name FROM tombstone) ORDER BY name
            """)
        var names: [RecordName] = []
        while try rows.step() { names.append(rows.name(0)) }
        return names
    }
}
