import GRDB

/// A database that could not be read on, as its bytes are not what SQLite wrote, or its disk does not give them.
struct DatabaseDamage: Error {
    /// In SQLite's words.
    let reason: String
}

extension DatabaseDamage {
    /// `nil` for an error that says nothing of the database's bytes.
    init?(_ error: DatabaseError) {
        guard [ResultCode.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR].contains(error.resultCode) else { return nil }
        reason = error.words
    }
}
