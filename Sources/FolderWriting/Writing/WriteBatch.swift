public import LocalFolder
import SyncModel
import Synchronization
import SystemPackage

/// Changes to the folder that become durable together, each directory being synced once.
///
/// An outcome may be recorded only after ``finish()``: until then a crash can undo it.
public final class WriteBatch: Sendable {
    /// Of directories waiting at once; each holds a descriptor, and a process may have 1,024.
    private static let limit = 256
    private let directories = Mutex<[FolderIdentity: DirectoryHandle]>([:])
    /// Directories whose way from the root is among them.
    private let led = Mutex<Set<FolderPath>>([])

    /// Begins with nothing to sync.
    public init() {}

    func add(_ directory: DirectoryHandle) throws(Errno) {
        let identity = FolderIdentity(try directory.descriptor.status())
        let isFull = directories.withLock { directories in
            if directories[identity] == nil { directories[identity] = directory }
            return directories.count >= Self.limit
        }
        // Descriptors are few: what is synced early only costs a second sync later.
        if isFull { try sync() }
    }

    /// Adds the directories above a directory: they may be as new as what was put into it, and made by somebody else, so
    /// that a loss of power would take all of them.
    func add(above directory: FolderPath, in root: FolderRoot) throws(Errno) {
        guard led.withLock({ $0.insert(directory).inserted }) else { return }
        for above in directory.ancestors.map({ Optional($0) }) + [nil] {
            do throws(Errno) {
                try add(DirectoryHandle(root.openDirectory(above)))
            } catch .noSuchFileOrDirectory {
                continue
            }
        }
    }

    /// Makes every change of the batch durable.
    public func finish() throws(FolderError) {
        do throws(Errno) {
            try sync()
        } catch {
            throw .stateDirectory("syncing directories", error)
        }
    }

    private func sync() throws(Errno) {
        let pending = directories.withLock { directories in
            defer { directories = [:] }
            return directories.values.map { $0 }
        }
        for directory in pending {
            do throws(Errno) {
                try directory.descriptor.sync()
            } catch .noSuchFileOrDirectory {
                // FUSE says so of one that was removed meanwhile: nothing in it is to be kept.
                continue
            }
        }
    }
}
