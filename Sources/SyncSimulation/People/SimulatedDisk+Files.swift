import FolderWatching
import SyncModel
import SystemPackage

extension SimulatedDisk.State {
    /// A file as a person sees it.
    struct File {
        var inode: DiskTree.Inode
        var directory: DiskTree.Inode
        var name: DiskTree.Name
        var bytes: [UInt8]
    }

    func file(at path: FolderPath) throws(Errno) -> File {
        let directory = try tree.resolve(path.parent?.bytes ?? [], from: DiskTree.root)
        let inode = try tree.resolve(path.leaf, from: directory)
        let node = try tree[inode]
        guard !node.isDirectory else { throw .isDirectory }
        guard !node.isLink else { throw .tooManySymbolicLinkLevels }
        return File(inode: inode, directory: directory, name: path.leaf, bytes: node.bytes)
    }

    /// Makes an empty file with the directories above it.
    mutating func make(_ path: FolderPath, now: Int64) throws(Errno) -> File {
        let directory = try directory(making: path.parent, now: now)
        let inode = try tree.make(path.leaf, in: directory, isDirectory: false, mode: 0o644, now: now)
        note(.created, path.leaf, in: directory)
        return File(inode: inode, directory: directory, name: path.leaf, bytes: [])
    }

    mutating func directory(making path: FolderPath?, now: Int64) throws(Errno) -> DiskTree.Inode {
        guard let path else { return DiskTree.root }
        let parent = try directory(making: path.parent, now: now)
        do throws(Errno) {
            let inode = try tree.resolve(path.leaf, from: parent)
            guard try tree[inode].isDirectory else { throw .notDirectory }
            return inode
        } catch .noSuchFileOrDirectory {
            let inode = try tree.make(path.leaf, in: parent, isDirectory: true, mode: 0o755, now: now)
            note(.created, path.leaf, in: parent, isDirectory: true)
            return inode
        }
    }
}
