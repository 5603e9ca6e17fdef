public import FolderSettings
import StateStorage
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// Forgets what is known of a folder of which no daemon runs.
public enum FolderReset {
    /// Forgets both sides' trees and the tokens. Configuration, credentials, history and conflict copies stay: the next sync
    /// looks at both sides, and what is equal in both is recognised as equal.
    /// - Returns: Where a damaged state was put that could not be used any more; `nil` where it could.
    /// - Throws: `StateError` with the code `locked` while a daemon runs.
    @discardableResult
    public static func forget(_ directory: StateDirectory) throws -> FilePath? {
        try directory.prepare()
        let lock = try FolderLock(of: directory)
        defer { withExtendedLifetime(lock) {} }
        do {
            let store = try StateStore(of: directory)
            try store.forgetTrees()
            try store.close()
            return nil
        } catch  where error.code == .corrupt {
            let damaged = try putAside(directory.database)
            try StateStore(of: directory).close()
            return damaged
        }
    }

    /// Ends that a folder is a synced one; its files stay.
    /// - Throws: `StateError` with the code `locked` while a daemon runs.
    public static func remove(_ directory: StateDirectory) throws {
        try directory.prepare()
        let lock = try FolderLock(of: directory)
        try directory.remove()
        withExtendedLifetime(lock) {}
    }

    /// With the parts of it that SQLite keeps beside it, which belong to no other.
    private static func putAside(_ database: FilePath) throws -> FilePath {
        let place = FilePath(database.string + ".damaged")
        for part in ["-wal", "-shm", ""] where access(database.string + part, F_OK) == 0 {
            guard rename(database.string + part, place.string + part) == 0 else { throw Errno(rawValue: errno) }
        }
        return place
    }
}
