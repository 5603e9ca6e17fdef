package import FolderSettings
package import GRDB
package import SystemPackage

extension StateError {
    package static func database(_ error: DatabaseError, at path: FilePath) -> Self {
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

    /// Of a state that is open while another one is put in its place.
    package static func replaced(_ path: FilePath) -> Self {
        Self(
            .io,
            "Another state is being put in the place of \(path). Nothing goes on until it is whole and stands still; then the "
                + "folder is opened again with it.")
    }
}
