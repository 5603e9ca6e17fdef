import GRDB
import StateRows

/// The rows of `zone`.
enum ZoneTable {
    private static let columns =
        "token, created, owed, listing_number, listing, complete, incarnation, loss, recognition"

    static func facts(_ key: ZoneKey, _ db: Database) throws -> ZoneFacts? {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(columns) FROM zone WHERE name = ? AND owner = ?"),
            arguments: [key.name, key.owner ?? ""])
        return row.map { facts($0) }
    }

    static func all(_ db: Database) throws -> [(key: ZoneKey, facts: ZoneFacts)] {
        try Row.fetchAll(db, sql: "SELECT \(columns), name, owner FROM zone ORDER BY owner, name").map { row in
            let owner: String = row["owner"]
            return (ZoneKey(name: row["name"], owner: owner.isEmpty ? nil : owner), facts(row))
        }
    }

    /// A loss in a word of an earlier version, which forgot at once what was agreed on, is `ZoneLoss.replaced`.
    private static func facts(_ row: Row) -> ZoneFacts {
        var facts = ZoneFacts()
        facts.token = row["token"]
        facts.created = row["created"]
        facts.owed = row["owed"]
        facts.listingNumber = row["listing_number"]
        facts.listing = row["listing"]
        facts.complete = row["complete"]
        facts.incarnation = row["incarnation"]
        facts.loss = (row["loss"] as String?).map { ZoneLoss(rawValue: $0) ?? .replaced }
        facts.recognition = ZoneFacts.Recognition(rawValue: row["recognition"]) ?? .impossible
        return facts
    }

    /// Changes what is known of a zone; writes nothing where it stays the same.
    static func update(_ key: ZoneKey, _ db: Database, _ change: (inout ZoneFacts) -> Void) throws {
        let known = try facts(key, db)
        var facts = known ?? ZoneFacts()
        change(&facts)
        guard facts != known else { return }
        let insert = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO zone (name, owner, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
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
