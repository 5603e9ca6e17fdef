public import LocalFolder
public import SyncModel
import SystemPackage

extension FolderWriter {
    /// From so many files and directories on, one sync of the file system costs less than one of each.
    private static let syncFileSystemFrom = 32

    /// Makes staged files durable, and files that somebody else wrote into the folder with the directories that lead to
    /// them; all at once where they are many.
    ///
    /// What a program saves without a sync is lost or empty after a loss of power. Nothing may be concluded from it for
    /// longer than that: sync it before the base tells of it.
    /// - Parameter paths: What is no file any more is left out.
    public func makeDurable(
        _ files: [StagedFile] = [], besides paths: some Collection<FolderPath> = [FolderPath]()
    ) throws(FolderError) {
        let pending = files.filter { !$0.isSynced }
        guard pending.count + paths.count < Self.syncFileSystemFrom else { return try syncFileSystem(pending) }
        let directories = Set(paths.flatMap { path in path.ancestors.map { Optional($0) } + [nil] })
        guard pending.count + paths.count + directories.count < Self.syncFileSystemFrom else {
            return try syncFileSystem(pending)
        }
        do throws(Errno) {
            for file in pending { try file.sync() }
        } catch {
            throw .stateDirectory("syncing staging", error)
        }
        for path in Set(paths) {
            try sync(path) { () throws(Errno) in
                try .open(beneath: root.descriptor, path.terminated, .read)
            }
        }
        for path in directories { try sync(path) { () throws(Errno) in try root.openDirectory(path) } }
    }

    private func syncFileSystem(_ files: [StagedFile]) throws(FolderError) {
        do throws(Errno) {
            try root.disk.syncFileSystem(directories.staging.descriptor.raw)
            for file in files { file.markSynced() }
        } catch {
            throw .stateDirectory("syncing the file system", error)
        }
    }

    private func sync(_ path: FolderPath?, _ open: () throws(Errno) -> Descriptor) throws(FolderError) {
        do throws(Errno) {
            let opened: Descriptor
            do throws(Errno) {
                opened = try open()
            } catch .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .permissionDenied,
                .noSuchAddressOrDevice
            {
                // Nor can it be read any more, so nothing will be concluded from it. A socket cannot be opened at all.
                return
            }
            // Nor from a pipe or a device, which no disk keeps: to sync it fails.
            let kind = try opened.status().kind
            guard kind == .file || kind == .directory else { return }
            try opened.sync()
        } catch {
            throw path.map { .cannot("sync", $0, error) } ?? .stateDirectory("syncing the folder", error)
        }
    }
}
