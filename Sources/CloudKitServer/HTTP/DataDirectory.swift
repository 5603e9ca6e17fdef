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
        try Self.make(path)
        self.path = path
        lock = try FileDescriptor.open(
            path.appending("lock"), .readWrite, options: [.create, .closeOnExec], permissions: [.ownerReadWrite])
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
}
