public import SyncModel
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// The synced folder, opened once: everything in it is reached from this descriptor, never by an absolute path.
///
/// Every path is resolved by `openat2(2)` with `RESOLVE_BENEATH` and `RESOLVE_NO_SYMLINKS`, so nothing outside the
/// folder can be touched, whatever names and links it holds.
public final class FolderRoot: Sendable {
    /// The name of the hidden state directory, which also marks the folder as ours.
    public static let stateName = ".zonefolder"

    package static let stateNameBytes = Array(stateName.utf8)
    package static let stateNameTerminated = stateNameBytes + [0]

    /// Where the folder was found.
    public let path: FilePath
    /// The device and inode of the folder itself, as it was opened.
    public let identity: FolderIdentity
    /// The same, with when its directory was made.
    public let file: FileIdentity

    package let descriptor: Descriptor

    /// Opens a folder. The path itself may lead through symbolic links.
    public convenience init(opening path: FilePath) throws(FolderError) {
        try self.init(opening: path, on: LinuxDisk())
    }

    /// Opens a folder of a disk.
    package init(opening path: FilePath, on disk: any FolderDisk) throws(FolderError) {
        self.path = path
        do throws(Errno) {
            descriptor = Descriptor(owning: try disk.openRoot(Array(path.string.utf8) + [0]), on: disk)
            let status = try descriptor.status()
            (identity, file) = (FolderIdentity(status), status.stamp.file)
        } catch {
            throw .folder(at: path, "opened", error)
        }
    }

    package var disk: any FolderDisk { descriptor.disk }

    /// Whether the folder is what it was when it was opened, and may be acted on.
    ///
    /// Ask before anything is deleted, on either side, and before a scan is believed.
    /// - Parameter lookingInside: Whether an empty folder is told apart, for which all names in it are read.
    public func health(lookingInside: Bool = true) -> FolderHealth {
        let now: FolderRoot
        do throws(FolderError) {
            now = try FolderRoot(opening: path, on: disk)
        } catch {
            return error.code == .folderMissing ? .gone : .unreadable(error)
        }
        guard now.identity == identity else {
            guard now.hasState else { return .markerMissing }
            return file.isSame(onAnotherDevice: now.file) || now.isHeldHere ? .mountedAnew : .deviceChanged
        }
        do throws(Errno) {
            let state = try Descriptor.open(
                beneath: descriptor, Self.stateNameTerminated, .directory, sameMount: true)
            guard try state.status().stamp.device == identity.device else { return .markerMissing }
        } catch {
            switch error {
            case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .improperLink: return .markerMissing
            default: return .unreadable(.stateDirectory("opening it", error))
            }
        }
        guard lookingInside else { return .ok }
        do throws(Errno) {
            // Opened anew, for a listing moves the position in its descriptor.
            return try openDirectory(nil).names().contains { $0 != Self.stateNameBytes } ? .ok : .empty
        } catch {
            return .unreadable(.folder(at: path, "listed", error))
        }
    }

    /// Whether a state directory is in it, and on its own disk.
    private var hasState: Bool {
        do throws(Errno) {
            _ = try Descriptor.open(beneath: descriptor, Self.stateNameTerminated, .directory, sameMount: true)
            return true
        } catch {
            return false
        }
    }

    /// When a file of the state directory was made, in nanoseconds since 1970; 0: not known.
    public func birth(ofState name: String) -> Int64 {
        do throws(Errno) {
            let path = Array("\(Self.stateName)/\(name)".utf8) + [0]
            return try Descriptor.open(beneath: descriptor, path, .read).status().stamp.born
        } catch {
            return 0
        }
    }

    /// Whether its lock names this process: the folder's own directory may have another number at each mount, as on FAT, and
    /// nobody may know when it was made.
    private var isHeldHere: Bool {
        do throws(Errno) {
            let lock = try Descriptor.open(beneath: descriptor, Array("\(Self.stateName)/lock".utf8) + [0], .read)
            return try withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { buffer throws(Errno) in
                let count = try lock.read(into: buffer)
                return String(decoding: buffer[..<count], as: UTF8.self) == "\(getpid())\n"
            }
        } catch {
            return false
        }
    }

    /// Opens the directory that holds a path.
    func openParent(of path: FolderPath) throws(Errno) -> Descriptor {
        try openDirectory(path.parent)
    }

    /// Opens a directory of the folder, `nil` being the root.
    package func openDirectory(_ path: FolderPath?) throws(Errno) -> Descriptor {
        try .open(beneath: descriptor, path?.terminated ?? [UInt8(ascii: "."), 0], .directory)
    }
}

/// Which directory a folder is: it changes when another file system is mounted at its place.
public struct FolderIdentity: Hashable, Sendable {
    /// As `stat` numbers the file system.
    public var device: UInt64
    /// Of the folder's own directory.
    public var inode: UInt64

    package init(_ status: FileStatus) {
        device = status.stamp.device
        inode = status.stamp.inode
    }
}

/// Whether a folder may be acted on.
public enum FolderHealth: Sendable {
    /// It is the folder that was opened, with its marker, and holds something.
    case ok
    /// As `ok`, but nothing is in it besides the state directory: right for a new folder, an alarm for one whose
    /// base has files.
    case empty
    /// The state directory is gone, or lies on another file system: somebody deleted it, or this is a mount point without its
    /// mount.
    case markerMissing
    /// Another directory or file system is at the folder's place, with a state directory of its own.
    case deviceChanged
    /// The folder's own directory, with its marker, is at its place on a disk that has another number: it was unmounted or pulled
    /// out, and is back. What was opened before stays on the disk that is gone.
    case mountedAnew
    /// Nothing is at the folder's place.
    case gone
    case unreadable(FolderError)
}
