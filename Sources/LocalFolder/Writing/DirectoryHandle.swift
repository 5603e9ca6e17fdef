import CFolderCalls
import SyncModel
import SystemPackage

/// An open directory that several owners share.
final class DirectoryHandle: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }
}

/// A name in an open directory.
struct Place {
    let directory: DirectoryHandle
    /// NUL-terminated.
    let name: [UInt8]

    func status() throws(Errno) -> FileStatus {
        try directory.descriptor.status(of: name)
    }

    func open() throws(Errno) -> Descriptor {
        try .open(beneath: directory.descriptor, name, FOLDER_OPEN_READ)
    }

    /// Moves what is here to a place where nothing is.
    func rename(to place: Place) throws(Errno) {
        let answer = folder_rename_new(
            directory.descriptor.raw, name, place.directory.descriptor.raw, place.name)
        guard answer == -Errno.invalidArgument.rawValue else { return _ = try check(answer) }
        // Some FUSE file systems lack RENAME_NOREPLACE; a link refuses an existing name as well.
        try check(folder_link(directory.descriptor.raw, name, place.directory.descriptor.raw, place.name))
        try check(folder_remove_file(directory.descriptor.raw, name))
    }

    func exchange(with place: Place) throws(Errno) {
        try check(folder_exchange(directory.descriptor.raw, name, place.directory.descriptor.raw, place.name))
    }
}
