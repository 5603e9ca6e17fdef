import CloudKitWire
import GRDB

/// The records of a zone in the order in which they changed for whoever reads it.
struct ZoneFeed {
    let zone: ZoneRow
    let db: Database

    typealias Entry = (stored: StoredRecord, change: Int64)

    /// What changed after a place in the feed, oldest first; tombstones among it, for a participant also of records that are
    /// out of sight now.
    func records(after position: Int64, limit: Int) throws -> AnyCursor<Entry> {
        try records("> ?", "ASC", position, limit)
    }

    /// What changed up to a place in the feed, newest first.
    func records(upTo position: Int64, limit: Int) throws -> AnyCursor<Entry> {
        try records("<= ?", "DESC", position, limit)
    }

    private func records(
        _ condition: String, _ direction: String, _ position: Int64, _ limit: Int
    ) throws -> AnyCursor<Entry> {
        guard let access = zone.shared?.access, access.whole == nil else {
            let statement = try db.cachedStatement(
                sql: """
                    SELECT \(StoredRecord.columns) FROM records
                    WHERE zone_id = ? AND change \(condition) ORDER BY change \(direction) LIMIT ?
                    """)
            return AnyCursor(
                try Row.fetchCursor(statement, arguments: [zone.id, position, limit]).map { row in
                    let stored = StoredRecord(row)
                    return (stored, stored.change)
                })
        }
        return try hierarchies(access, condition, direction, position, limit)
    }

    private func hierarchies(
        _ access: ZoneAccess, _ condition: String, _ direction: String, _ position: Int64, _ limit: Int
    ) throws -> AnyCursor<Entry> {
        let shares = access.parts.keys.sorted().map(String.init).joined(separator: ",")
        let columns = StoredRecord.columns.split(separator: ", ").map { "r.\($0)" }.joined(separator: ", ")
        // What went from one share to another that the caller sees, too, did not go.
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT \(columns), m.change, m.visible FROM shared_records m
                JOIN records r ON r.zone_id = m.zone_id AND r.name = m.name
                WHERE m.share_id IN (\(shares)) AND m.change \(condition) AND (m.visible = 1 OR NOT EXISTS (
                    SELECT 1 FROM shared_records o WHERE o.zone_id = m.zone_id AND o.name = m.name AND o.visible = 1
                        AND o.share_id IN (\(shares))))
                ORDER BY m.change \(direction) LIMIT ?
                """,
            arguments: [position, limit])
        return AnyCursor(
            rows.map { row in
                var stored = StoredRecord(row)
                let isVisible: Bool = row[12]
                if !isVisible { (stored.type, stored.fields, stored.size) = (nil, nil, 0) }
                return (stored, row[11])
            })
    }
}
