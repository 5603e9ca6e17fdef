import GRDB

/// What became of records whose types somebody's query subscription is about, in order.
///
/// A deletion can take any number of records with it: they are not kept for nobody.
struct WatchedEvents {
    private let database: Int64
    private(set) var all: [RecordEvent] = []
    /// By record type, as far as asked.
    private var isWatched: [String: Bool] = [:]

    init(of database: Int64) { self.database = database }

    mutating func note(_ kind: RecordEvent.Kind, of record: StoredRecord, in zone: ZoneRow, _ db: Database) throws {
        guard let type = record.type, try watches(type, db) else { return }
        all.append(RecordEvent(kind: kind, zone: zone, record: record))
    }

    private mutating func watches(_ type: String, _ db: Database) throws -> Bool {
        if let known = isWatched[type] { return known }
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM subscriptions
                    WHERE database_id = ? AND type = 'query' AND json_extract(dictionary, '$.query.recordType') = ?)
                """)
        let found = try Bool.fetchOne(statement, arguments: [database, type])!
        isWatched[type] = found
        return found
    }
}
