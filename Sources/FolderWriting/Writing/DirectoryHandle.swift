import LocalFolder
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
        try .open(beneath: directory.descriptor, name, .read)
    }

    func remove() throws(Errno) {
        try directory.descriptor.removeFile(name)
    }

    /// Of an empty directory.
    func removeDirectory() throws(Errno) {
        try directory.descriptor.removeDirectory(name)
    }

    /// Moves what is here, and is ours alone, to a place where nothing is.
    func rename(to place: Place) throws(Errno) {
        guard try !renameIfPossible(to: place) else { return }
        // A link refuses an existing name as well.
        guard try linkIfPossible(to: place) else { return try moveWhereFree(place) }
        try remove()
    }

    /// Moves what is here to a place that is ours alone, where nothing is. In one step: what a person saves here in this
    /// moment goes along, or stays.
    func rename(toOwn place: Place) throws(Errno) {
        guard try !renameIfPossible(to: place) else { return }
        try moveWhereFree(place)
    }

    /// Moves what is here to a place where nothing is, in one step.
    /// - Returns: Whether the file system can do so (`RENAME_NOREPLACE`), which NFS and most of FUSE cannot.
    func renameIfPossible(to place: Place) throws(Errno) -> Bool {
        do throws(Errno) {
            try call(with: place) { disk, name, new throws(Errno) in try disk.renameNew(name, to: new) }
            return true
        } catch .invalidArgument {
            return false
        }
    }

    /// On a file system without links as well, such as exFAT by FUSE: what comes to the place in this very moment is not seen.
    func moveWhereFree(_ place: Place) throws(Errno) {
        do throws(Errno) {
            _ = try place.status()
        } catch .noSuchFileOrDirectory {
            return try rename(over: place)
        }
        throw .fileExists
    }

    /// Moves what is here to a place, over what is there.
    func rename(over place: Place) throws(Errno) {
        try call(with: place) { disk, name, new throws(Errno) in try disk.renameOver(name, to: new) }
    }

    func exchange(with place: Place) throws(Errno) {
        try call(with: place) { disk, name, other throws(Errno) in try disk.exchange(name, other) }
    }

    /// Gives what is here a second name, which must be free.
    func link(to place: Place) throws(Errno) {
        try call(with: place) { disk, name, new throws(Errno) in try disk.link(name, to: new) }
    }

    /// - Returns: Whether the file system has links, as exFAT has not.
    func linkIfPossible(to place: Place) throws(Errno) -> Bool {
        do throws(Errno) {
            try link(to: place)
            return true
        } catch .notPermitted, .notSupported, .noFunction {
            return false
        }
    }

    private func call(
        with place: Place, _ body: (any FolderDisk, DiskName, DiskName) throws(Errno) -> Void
    ) throws(Errno) {
        // The two arrays have to hold still together, and `withUnsafeBufferPointer` passes typed errors on.
        try name.withUnsafeBufferPointer { own throws(Errno) in
            try place.name.withUnsafeBufferPointer { other throws(Errno) in
                try body(
                    directory.descriptor.disk, DiskName(own.baseAddress!, in: directory.descriptor.raw),
                    DiskName(other.baseAddress!, in: place.directory.descriptor.raw))
            }
        }
    }
}
