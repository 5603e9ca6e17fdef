public import LocalFolder
public import SyncModel
public import SystemPackage

/// A directory anywhere that copies of files are put into.
///
/// Nothing that is there is replaced, and no symbolic link below it is followed.
public struct CopyTarget: Sendable {
    private let root: FolderRoot

    /// Opens a directory that exists. The path itself may lead through symbolic links.
    public init(opening path: FilePath) throws(FolderError) {
        root = try FolderRoot(opening: path)
    }

    /// Begins a file that shows only once it is whole; the directories above it are made.
    public func begin(_ path: FolderPath) throws(FolderError) -> CopyInProgress {
        do throws(Errno) {
            return try CopyInProgress(path, in: try directory(making: path.parent), on: root.disk)
        } catch {
            throw .cannot("write", path, error)
        }
    }

    private func directory(making path: FolderPath?) throws(Errno) -> DirectoryHandle {
        do throws(Errno) {
            return DirectoryHandle(try root.openDirectory(path))
        } catch {
            guard error == .noSuchFileOrDirectory, let path else { throw error }
            let parent = try directory(making: path.parent)
            _ = try parent.descriptor.makeDirectory(path.terminatedName, mode: 0o777)
            return DirectoryHandle(try root.openDirectory(path))
        }
    }
}

/// A file that is being written where it shows as soon as it is whole, and is removed where it never is.
public struct CopyInProgress: ~Copyable {
    private let path: FolderPath
    private let place: Place
    private let hidden: Place
    private let file: Descriptor
    private var isPlaced = false

    fileprivate init(_ path: FolderPath, in directory: DirectoryHandle, on disk: any FolderDisk) throws(Errno) {
        self.path = path
        place = Place(directory: directory, name: path.terminatedName)
        // A name that is never synced, should the directory lie in a folder that is.
        let name = ".zonefolder-restored-\(String(disk.random(), radix: 36))"
        hidden = Place(directory: directory, name: Array(name.utf8) + [0])
        file = try .open(beneath: directory.descriptor, hidden.name, .new)
    }

    deinit {
        if !isPlaced { try? hidden.remove() }
    }

    /// Appends bytes.
    public func write(_ bytes: [UInt8]) throws(FolderError) {
        do throws(Errno) {
            var failure: Errno?
            bytes.withUnsafeBytes { buffer in
                do throws(Errno) { try file.write(buffer) } catch { failure = error }
            }
            if let failure { throw failure }
        } catch {
            throw .cannot("write", path, error)
        }
    }

    /// Gives the file its name, durably.
    /// - Returns: `false` where something has that name; it stays as it is.
    public mutating func finish(executable: Bool) throws(FolderError) -> Bool {
        do throws(Errno) {
            if executable {
                let mode = try file.status().stamp.mode & 0o777
                try file.disk.setMode(file.raw, mode | (mode & 0o444) >> 2)
            }
            try file.sync()
            try hidden.rename(to: place)
            isPlaced = true
            try place.directory.descriptor.sync()
            return true
        } catch {
            if error == .fileExists { return false }
            throw .cannot("write", path, error)
        }
    }
}
