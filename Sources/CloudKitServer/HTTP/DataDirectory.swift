import DatabaseReading
import GRDB
import Glibc
import SystemPackage

/// A server's data directory, locked: `lock`, `server.sqlite`, `assets/`, `uploads/`.
///
/// The lock keeps a second server away. Adding a user from another process needs none: SQLite has its own.
final class DataDirectory: Sendable {
    let path: FilePath
    private let lock: FileDescriptor

    /// - Throws: ``ServerError`` `inUse` where another server runs on it.
    init(locking path: FilePath) throws {
        try Self.writing(path) { try Self.make(path) }
        self.path = path
        lock = try Self.writing(path) {
            try FileDescriptor.open(
                path.appending("lock"), .readWrite, options: [.create, .closeOnExec], permissions: [.ownerReadWrite])
        }
        guard flock(lock.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            try? lock.close()
            throw ServerError.inUse(path)
        }
    }

    /// Lets another server in, whoever still holds this one.
    func unlock() {
        flock(lock.rawValue, LOCK_UN)
    }

    deinit {
        // Also from a copy of the descriptor that a process which is just being started has.
        flock(lock.rawValue, LOCK_UN)
        try? lock.close()
    }

    static func make(_ path: FilePath) throws {
        var parent = FilePath(root: path.root)
        for component in path.components {
            parent.append(component)
            if access(parent.string, F_OK) != 0 { try AssetFiles.makeDirectory(parent) }
        }
    }

    static func database(in path: FilePath) -> String {
        path.appending("server.sqlite").string
    }

    /// Looks at a server's data, whether a server runs on it or not; leaves no trace of that.
    /// - Throws: ``ServerError`` where there is none, or none that this program can read.
    static func look<Answer>(at path: FilePath, _ body: (RecordStore) throws -> Answer) throws -> Answer {
        try explaining(path) {
            do {
                return try TracelessReader.read(FilePath(database(in: path))) { queue in
                    try body(RecordStore(looking: queue, at: path))
                }
            } catch Errno.noSuchFileOrDirectory {
                throw ServerError.noData(path)
            } catch let error as Errno {
                throw ServerError.file("read", FilePath(database(in: path)), error)
            }
        }
    }

    /// Changes a server's data, whether a server runs on it or not.
    /// - Parameter makes: Whether it is made where it is missing; a wrong name is not to make a new server.
    static func change<Answer>(
        _ path: FilePath, makes: Bool, _ body: (RecordStore) throws -> Answer
    ) throws -> Answer {
        if makes {
            try writing(path) { try make(path) }
        } else if access(database(in: path), F_OK) != 0, errno == ENOENT || errno == ENOTDIR {
            throw ServerError.noData(path)
        }
        return try writing(path) {
            let store = try RecordStore(writer: RecordStore.openPool(at: database(in: path)))
            let answer = try body(store)
            try store.close()
            return answer
        }
    }

    /// As ``explaining(_:_:)``, for what writes there and nowhere else.
    /// - Parameter writingError: Why the disk takes no more, where SQLite does not say it.
    static func writing<Answer>(
        _ path: FilePath, asking writingError: (FilePath) -> Errno? = DiskProbe.error, _ body: () throws -> Answer
    ) throws -> Answer {
        do {
            return try explaining(path, body)
        } catch let error as DatabaseError where error.isOfFullDisk {
            throw ServerError.fullDisk(path)
        } catch let error as DatabaseError where error.isOfFailedWrite {
            let cause = writingError(path)
            if cause?.isOfFullDisk == true { throw ServerError.fullDisk(path) }
            throw ServerError.failingDisk(path, cause.map { "\($0)" } ?? error.words)
        } catch let error as Errno where error.isOfFullDisk {
            throw ServerError.fullDisk(path)
        } catch let error as ServerError where error.code == .diskFull {
            throw ServerError.fullDisk(path)
        }
    }

    /// Does what needs the directory's files, and says in a sentence why they cannot be used.
    static func explaining<Answer>(_ path: FilePath, _ body: () throws -> Answer) throws -> Answer {
        do {
            return try body()
        } catch let error as DatabaseError {
            let reason = error.words
            if [ResultCode.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode) {
                throw ServerError.damagedData(database(in: path), reason)
            }
            if [ResultCode.SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM].contains(error.resultCode) {
                throw ServerError.unusableData(path, reason)
            }
            throw error
        } catch let error as Errno {
            guard [Errno.readOnlyFileSystem, .permissionDenied, .notPermitted].contains(error) else { throw error }
            throw ServerError.unusableData(path, "\(error)")
        }
    }
}
