import GRDB
import StateRows

/// The rows of `zone`.
enum ZoneTable {
    static func facts(_ key: ZoneKey, _ db: Database) throws -> ZoneFacts? {
        var row = try SQLStatement(db, "SELECT * FROM zone WHERE name = ? AND owner = ?")
        row.bind(key.name)
        row.bind(key.owner ?? "")
        defer { row.rewind() }
        return try row.step() ? facts(row) : nil
    }

    static func all(_ db: Database) throws -> [(key: ZoneKey, facts: ZoneFacts)] {
        var rows = try SQLStatement(db, "SELECT * FROM zone ORDER BY owner, name")
        var zones: [(key: ZoneKey, facts: ZoneFacts)] = []
        while try rows.step() {
            let owner = rows.text(1)
            zones.append((ZoneKey(name: rows.text(0), owner: owner.isEmpty ? nil : owner), facts(rows)))
        }
        return zones
    }

    /// A loss in a word of an earlier version, which forgot at once what was agreed on, is `ZoneLoss.replaced`.
    private static func facts(_ row: SQLStatement) -> ZoneFacts {
        var facts = ZoneFacts()
        facts.token = row.textOrNil(2)
        facts.created = row.bool(3)
        facts.owed = row.bool(4)
        facts.listingNumber = row.int64(5)
        facts.listing = row.bool(6)
        facts.complete = row.bool(7)
        facts.incarnation = row.int64(8)
        facts.loss = row.textOrNil(9).map { ZoneLoss(rawValue: $0) ?? .replaced }
        facts.recognition = ZoneFacts.Recognition(rawValue: Int(row.int64(10))) ?? .impossible
        return facts
    }

    /// Changes what is known of a zone; writes nothing where it stays the same.
    static func update(_ key: ZoneKey, _ db: Database, _ change: (inout ZoneFacts) -> Void) throws {
        let known = try facts(key, db)
        var facts = known ?? ZoneFacts()
        change(&facts)
        guard facts != known else { return }
        let insert = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO zone VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        try insert.execute(
            arguments: [
                key.name, key.owner ?? "", facts.token, facts.created, facts.owed, facts.listingNumber, facts.listing,
                facts.complete, facts.incarnation, facts.loss?.rawValue, facts.recognition.rawValue,
            ])
    }

    /// The number that marks a record as seen now.
    static func latestListing(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(listing_number) FROM zone")) ?? 0
    }
}
