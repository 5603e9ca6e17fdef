import GRDB
import StateRows

/// The rows of `author`: who creates and modifies records, each once.
struct AuthorTable {
    private var known: [RemoteRow.Origin: Int64] = [:]
    private let db: Database

    /// For one transaction.
    init(_ db: Database) { self.db = db }

    /// The number of a user on a device; `NULL` stands for neither.
    mutating func number(of origin: RemoteRow.Origin) throws -> Int64? {
        if origin == RemoteRow.Origin() { return nil }
        if let number = known[origin] { return number }
        var find = try SQLStatement(db, "SELECT id FROM author WHERE user IS ? AND device IS ?")
        find.bind(origin.user)
        find.bind(origin.device)
        defer { find.rewind() }
        if try find.step() {
            known[origin] = find.int64(0)
            return find.int64(0)
        }
        var insert = try SQLStatement(db, "INSERT INTO author (user, device) VALUES (?, ?)")
        insert.bind(origin.user)
        insert.bind(origin.device)
        try insert.run()
        known[origin] = db.lastInsertedRowID
        return db.lastInsertedRowID
    }
}
