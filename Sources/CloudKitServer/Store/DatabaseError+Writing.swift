import GRDB
import SystemPackage

extension DatabaseError {
    /// Whether there was no room for what was to be written.
    var isOfFullDisk: Bool { resultCode == .SQLITE_FULL }

    /// Whether SQLite says that writing failed, and not why: there is no room by a quota (EDQUOT), or the disk fails (EIO). Of
    /// the log's index, which it makes when a database is opened, it says that it could not become larger, for either.
    var isOfFailedWrite: Bool {
        [ResultCode.SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHMSIZE].contains(extendedResultCode)
    }

    /// Whether the database cannot be written, and could be read all the same.
    var isOfWriting: Bool { isOfFullDisk || isOfFailedWrite }

    /// SQLite's words, or its number.
    var words: String { message ?? "SQLite's error \(resultCode.rawValue)" }

    static var fullDisk: DatabaseError { DatabaseError(resultCode: .SQLITE_FULL, message: "database or disk is full") }
}

extension RecordStore {
    /// Does what may write. Where SQLite does not know why that failed, the disk is asked: it is said to be full where it is,
    /// and nowhere else.
    static func tellingFullDisk<Answer>(
        of writer: any DatabaseWriter, by surroundings: StoreSurroundings, _ body: () throws -> Answer
    ) throws -> Answer {
        do {
            return try body()
        } catch let error as DatabaseError where error.isOfFailedWrite {
            let cause = surroundings.writingError(FilePath(writer.path).removingLastComponent())
            throw cause?.isOfFullDisk == true ? DatabaseError.fullDisk : error
        }
    }
}
