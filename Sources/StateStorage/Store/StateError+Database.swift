import FolderSettings
import GRDB
import SystemPackage

extension StateError {
    static func database(_ error: DatabaseError, at path: FilePath) -> Self {
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            corrupt(path, error.message ?? "not a database")
        case .SQLITE_FULL:
            Self(.diskFull, "Could not write \(path): the disk is full. Make room; nothing was lost.")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
            Self(.permissionDenied, "Could not open \(path) (\(error.message ?? "")). Check its owner and its mode.")
        default:
            Self(.io, "Could not use \(path): \(error.message ?? "SQLite error") (\(error.resultCode)).")
        }
    }
}
