import FolderSettings
package import GRDB
import GRDBSQLite
import Synchronization
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The database of an open state and its log, as this process left them.
///
/// SQLite takes the log that lies beside a database for that one's own, and folds it in. Where somebody puts a backup over a
/// state that is open, or was when its process was killed, the log there is still that of the state before: with the other file
/// it makes rows of both, or a damaged file. So nothing is written or folded in any more once another database is there, and a
/// log is left only to the database that it is of.
///
/// What belongs together is told by the number in `user_version`:
/// - Each time before the log is folded in, the database gets another number, so that no two contents of the file have the same.
/// - The first transaction of a log writes the page that has the number. So a log is of the databases alone of which it has the
///   number: of the one that it continues, and of what that becomes by it.
/// - SeeAlso: SQLite, "Database File Format", sections 1.3 and 4; "How To Corrupt An SQLite Database File", section 1.4.
package final class StateFiles: Sendable {
    /// Pages in the log before it is folded in: 32 MB. The first sync of a large tree would spend much of its time on that with
    /// SQLite's own number.
    private static let mostPages = 8192

    private let path: FilePath
    private let known = Mutex(Known())
    private let pages = PageCount()

    private struct Known {
        /// The number that the file has; `nil` before it is open and after it is closed.
        var number: UInt32?
        /// Whether the log has the number.
        var isTied = false
        /// Whether all of the log is in the database too.
        var isFoldedIn = false
    }

    /// What is in the place of the database.
    enum Occupant {
        case own, other, nothing
        /// The same file, with other bytes.
        case overwritten
    }

    /// - Parameter path: That of the database.
    package init(_ path: FilePath) { self.path = path }

    // MARK: While they are open

    /// The files are open, and are this process's own.
    package func begin(_ db: Database) {
        let context = Unmanaged.passUnretained(pages).toOpaque()
        sqlite3_wal_hook(
            db.sqliteConnection,
            { context, _, _, pages in
                Unmanaged<PageCount>.fromOpaque(context!).takeUnretainedValue().set(pages)
                return SQLITE_OK
            }, context)
        let number = db.storedNumber
        // A file that never had a number is like any copy of it, and so is one that a log which was left is folded into.
        let isNumbered = number != 0 && !StateLog(of: path).hasContent
        known.withLock { $0 = Known(number: number, isFoldedIn: isNumbered) }
        foldIn(db)
    }

    /// Whether they are open, and known.
    package var areOpen: Bool { known.withLock { $0.number != nil } }

    /// A transaction that writes is about to end.
    package func willCommit(_ db: Database) throws {
        guard areOpen, !known.withLock(\.isTied), let number = try Int64.fetchOne(db, sql: "PRAGMA user_version")
        else { return }
        // The page is written although it says the same as before.
        try db.execute(sql: "PRAGMA user_version = \(number)")
    }

    /// A transaction wrote to the log.
    package func didCommit(_ db: Database) {
        known.withLock { ($0.isTied, $0.isFoldedIn) = (true, false) }
        if pages.now >= Self.mostPages { foldIn(db) }
    }

    /// Folds the log in, unless another database is in the place of this one.
    package func foldIn(_ db: Database) {
        guard areOpen, !known.withLock(\.isFoldedIn), occupant(db) == .own else { return }
        let number = renumber(db)
        // Not by the transaction itself, as SQLite does it: between a look and that, somebody may write to the file.
        guard occupant(db) == .own else { return }
        let isWhole: Bool
        do {
            let (all, done) = try db.checkpoint(.passive)
            isWhole = all == done
        } catch {
            // What could not be folded in is in the log still, and is tried again after the next transaction.
            isWhole = false
        }
        let stored = db.storedNumber
        known.withLock { known in
            (known.isTied, known.isFoldedIn) = (false, isWhole)
            // Where it has another number than it was given, somebody wrote it anew in this instant.
            if !isWhole || number == nil || stored == number { known.number = stored ?? known.number }
        }
    }

    /// Gives what is folded in next a number of its own.
    /// - Returns: `nil` where it could not be given one.
    private func renumber(_ db: Database) -> UInt32? {
        let number = Int32.random(in: 1 ... .max)
        do {
            // That of before goes into the log first, as somebody else may have folded in what had it there.
            let former = try Int64.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            try db.execute(sql: "PRAGMA user_version = \(former); PRAGMA user_version = \(number)")
            return UInt32(number)
        } catch {
            // On a full disk, say. It has the one of before then.
            return nil
        }
    }

    /// What is in the place of the database.
    func occupant(_ db: Database) -> Occupant {
        guard let known = known.withLock(\.number) else { return .own }
        if db.hasMoved { return access(path.string, F_OK) == 0 ? .other : .nothing }
        // A disk that cannot be read tells nothing.
        guard let stored = db.storedNumber else { return .own }
        return stored == known ? .own : .overwritten
    }

    /// Whether another database is there, in which nothing of this one may get.
    package func isReplaced(_ db: Database) -> Bool { [.other, .overwritten].contains(occupant(db)) }

    // MARK: Closing

    /// Closes the database. Nothing of this one's log is left to another one that is there by now.
    package func close(_ queue: DatabaseQueue) throws {
        // What is there after the first closing is nobody's here.
        guard areOpen else { return try queue.close() }
        let (occupant, number) = (queue.unsafeRead { db in self.occupant(db) }, known.withLock(\.number))
        switch occupant {
        case .own:
            // By itself SQLite folds in what is left.
            if pages.now > 0, !known.withLock(\.isFoldedIn) { _ = queue.writeWithoutTransaction(renumber) }
            try queue.close()
        // SQLite sees that its file is not there any more, and leaves what is there alone.
        case .other, .nothing: try queue.close()
        case .overwritten: try withoutName { try queue.close() }
        }
        known.withLock { $0 = Known() }
        if [.other, .overwritten].contains(occupant) { StateLog(of: path).removeIfForeign(to: number) }
    }

    /// Does something while the file has another name, so that SQLite takes it for moved, and folds nothing in.
    private func withoutName(_ body: () throws -> Void) throws {
        let aside = Self.aside(path)
        guard rename(path.string, aside.string) == 0 else {
            throw StateError.system(Errno(rawValue: errno), "move", path)
        }
        defer { Self.putBack(path) }
        try body()
    }

    private static func aside(_ path: FilePath) -> FilePath { FilePath(path.string + ".aside") }

    /// Gives a file its name again. A process may have ended before it did so.
    package static func putBack(_ path: FilePath) {
        // What came meanwhile is newer.
        if access(path.string, F_OK) == 0 { return }
        _ = rename(aside(path).string, path.string)
    }
}

/// How many pages are in the log, as SQLite tells it after each transaction.
private final class PageCount: Sendable {
    private let count = Mutex(0)

    var now: Int { count.withLock(\.self) }

    func set(_ pages: Int32) { count.withLock { $0 = Int(pages) } }
}

extension Database {
    /// Whether the file that is open has its name no more.
    fileprivate var hasMoved: Bool {
        var moved: Int32 = 0
        return sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }

    /// `user_version` as it is in the file; `nil` where that cannot be read. It is read through the descriptor that SQLite has:
    /// with any other one that is closed, the process would lose its locks on the file.
    fileprivate var storedNumber: UInt32? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
            let read = file.pointee.pMethods?.pointee.xRead
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: StateLog.numberSize)
        let code = bytes.withUnsafeMutableBytes {
            read(file, $0.baseAddress, Int32($0.count), Int64(StateLog.numberOffset))
        }
        // A file that is shorter has zeros there. Swift does not see `SQLITE_IOERR_SHORT_READ`.
        guard code == SQLITE_OK || code == SQLITE_IOERR | 2 << 8 else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
