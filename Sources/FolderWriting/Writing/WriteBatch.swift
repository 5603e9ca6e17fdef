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
    /// What directories list, on a disk that takes names in upper and lower case for one: each is asked once.
    private let names = Mutex(SpelledNames.Listings())

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

    // MARK: Names in upper and lower case

    /// The first of a path and the directories above it to which something answers that has a name in other letters.
    /// - Parameter anew: Whether the path's own directory is listed again: it may have got files since.
    func otherCase(
        onTheWayTo path: FolderPath, in root: FolderRoot, anew: Bool = false
    ) throws(Errno) -> FolderPath? {
        try names.withLock { names throws(Errno) in
            if anew { names.forget(path.parent) }
            return try root.otherCase(onTheWayTo: path, by: &names)
        }
    }

    /// Takes in that a directory was made.
    func noteMade(_ directory: FolderPath) { names.withLock { $0.add(directory) } }

    /// Takes in that a directory was removed.
    func noteRemoved(_ directory: FolderPath) { names.withLock { $0.remove(directory) } }

    /// Takes in that a directory has its name in other letters.
    func noteRespelled(_ directory: FolderPath, as new: FolderPath) {
        names.withLock { names in
            names.forget(directory)
            names.remove(directory)
            names.add(new)
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
