import FolderWatching
import SyncModel
import SystemPackage

/// What people do with symbolic links.
extension Person {
    /// Puts a link where a file is, or is to be; the file goes.
    func cover(
        _ path: FolderPath, _ number: Int, _ disk: inout SimulatedDisk.State, _ ledger: inout Ledger
    ) throws(Errno) {
        if (try? disk.file(at: path)) != nil { try delete(path, number, &disk, &ledger) }
        let directory = try disk.directory(making: path.parent, now: now)
        try disk.tree.makeLink(path.leaf, in: directory, now: now)
        disk.note(.created, path.leaf, in: directory)
    }

    /// Takes a link away.
    func uncover(_ path: FolderPath, _ disk: inout SimulatedDisk.State) throws(Errno) {
        let directory = try disk.tree.resolve(path.parent?.bytes ?? [], from: DiskTree.root)
        let inode = try disk.tree.resolve(path.leaf, from: directory)
        guard try disk.tree[inode].isLink else { return }
        try disk.tree.removeFile(path.leaf, in: directory, now: now)
        disk.note(.deleted, path.leaf, in: directory)
    }

    /// Takes all links away; gives whether there were any.
    func uncoverAll(on disk: inout SimulatedDisk.State) -> Bool {
        let links = disk.tree.links()
        for path in links { try? uncover(path, &disk) }
        return !links.isEmpty
    }
}
