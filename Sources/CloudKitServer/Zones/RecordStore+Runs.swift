import CloudKitWire
import GRDB
import Synchronization

/// What tells a database from what it was once its files were restored from a backup: the changes since then are made by the same
/// counter, and would have the tags and positions of those that are lost.
///
/// So each run of a server begins at numbers that no other past has, and remembers which it left out. A position among those is of
/// a past that is lost. A command takes numbers, too: it leaves some out of the same databases first, for it cannot know whether
/// there was a run since the files were restored, nor whether the server that runs now found room to write down that it began.
extension RecordStore {
    /// So many numbers are left out at most: more than all changes that a run makes.
    private static let widestGap: UInt64 = 1 << 40

    /// Lets the counters of all databases go on at numbers that nobody can have seen. Once a server has its data for itself.
    ///
    /// Where the disk takes no writing, the first change does it: before that, no number is taken.
    /// - Returns: What kept it from being done: a full disk, or one that fails; `nil` where it is done.
    @discardableResult
    func beginRun() throws -> DatabaseError? {
        missedStart.withLock { $0.isWithoutRun = true }
        do {
            try Self.findingRoom(in: writer) { try change { _ in } }
            return nil
        } catch let error as DatabaseError where error.isOfWriting {
            return error
        }
    }

    /// As ``beginRun()``, within a transaction.
    func leaveNumbersOut(_ db: Database) throws {
        try leaveNumbersOut(of: Int64.fetchAll(db, sql: "SELECT id FROM databases ORDER BY id"), db)
    }

    /// The same for some databases, by their rows. Where a run left numbers out already, it only costs a row each.
    func leaveNumbersOut(of databases: [Int64], _ db: Database) throws {
        for database in databases {
            let last = try DatabaseRow.find(id: database, db).lastChange
            let random = surroundings.randomBytes(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            let first = last + 1 + Int64(random % Self.widestGap)
            try db.execute(
                sql: "INSERT INTO gaps (database_id, after, until) VALUES (?, ?, ?)",
                arguments: [database, last, first])
            try db.execute(sql: "UPDATE databases SET last_change = ? WHERE id = ?", arguments: [first, database])
        }
    }

    /// Checks that the changes up to a position are those that it was given for.
    /// - Throws: `BAD_REQUEST`, ``ErrorDictionary/unknownPast``.
    func checkPast(_ position: Int64, of database: Int64, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM gaps WHERE database_id = ? AND after < ? AND until > ?)")
        guard try Bool.fetchOne(statement, arguments: [database, position, position]) != true else {
            throw ErrorDictionary.lostContinuation
        }
    }
}
