import FolderWatching
import LocalFolder
import SyncModel
import SystemPackage

/// How people move, copy and delete files.
extension Person {
    func rename(
        _ path: FolderPath, _ new: FolderPath, _ number: Int, _ disk: inout SimulatedDisk.State,
        _ ledger: inout Ledger
    ) throws(Errno) {
        let file = try disk.file(at: path)
        let over = try? disk.file(at: new)
        guard path != new, try disk.tree[file.inode].writers == 0, !isBroken(file.bytes, at: path),
            !isBroken(over?.bytes, at: new)
        else { return }
        let directory = try disk.directory(making: new.parent, now: now)
        try disk.tree.rename(file.name, in: file.directory, to: new.leaf, in: directory, replacing: true, now: now)
        disk.noteMove(file.name, in: file.directory, to: new.leaf, in: directory, isDirectory: false)
        ledger.moved(file.bytes, inode: file.inode, from: path, to: new, over: over?.bytes, by: number, on: device)
    }

    func rotate(
        _ paths: [String], _ number: Int, _ disk: inout SimulatedDisk.State, _ ledger: inout Ledger
    ) throws(Errno) {
        for (path, new) in zip(paths, paths.dropFirst()).reversed() {
            try? rename(FolderPath(path)!, FolderPath(new)!, number, &disk, &ledger)
        }
        let first = FolderPath(paths[0])!
        try write(Contents.next(at: first, after: nil, by: number), to: first, number, &disk, &ledger)
    }

    func moveFolder(
        _ path: FolderPath, _ new: FolderPath, _ disk: inout SimulatedDisk.State
    ) throws(Errno) {
        guard path != new else { return }
        let from = try disk.tree.resolve(path.parent?.bytes ?? [], from: DiskTree.root)
        let to = try disk.tree.resolve(new.parent?.bytes ?? [], from: DiskTree.root)
        let folder = try disk.tree.resolve(path.leaf, from: from)
        guard !disk.tree.files(below: folder, skipping: []).contains(where: { isBroken($0.value, at: $0.key) }) else {
            return
        }
        try disk.tree.rename(path.leaf, in: from, to: new.leaf, in: to, replacing: false, now: now)
        disk.noteMove(path.leaf, in: from, to: new.leaf, in: to, isDirectory: true)
    }

    func delete(
        _ path: FolderPath, _ number: Int, _ disk: inout SimulatedDisk.State, _ ledger: inout Ledger
    ) throws(Errno) {
        let file = try disk.file(at: path)
        guard !isBroken(file.bytes, at: path) else { return }
        try disk.tree.removeFile(file.name, in: file.directory, now: now)
        disk.note(.deleted, file.name, in: file.directory)
        ledger.deleted(file.bytes, by: number)
    }

    func deleteFolder(
        _ path: FolderPath, _ number: Int, _ disk: inout SimulatedDisk.State, _ ledger: inout Ledger
    ) throws(Errno) {
        let inode = try disk.tree.resolve(path.bytes, from: DiskTree.root)
        for (name, kind) in try disk.tree.names(in: inode) {
            let below = path.appending(name: name)!
            switch kind {
            case .directory: try deleteFolder(below, number, &disk, &ledger)
            case .symlink: try uncover(below, &disk)
            default: try delete(below, number, &disk, &ledger)
            }
        }
        let parent = try disk.tree.resolve(path.parent?.bytes ?? [], from: DiskTree.root)
        try disk.tree.removeDirectory(path.leaf, in: parent, now: now)
        disk.note(.deleted, path.leaf, in: parent, isDirectory: true)
    }

    func copy(
        _ path: FolderPath, _ new: FolderPath, _ number: Int, _ disk: inout SimulatedDisk.State,
        _ ledger: inout Ledger
    ) throws(Errno) {
        let file = try disk.file(at: path)
        guard path != new else { return }
        try write(file.bytes, to: new, number, &disk, &ledger)
    }

    func link(_ path: FolderPath, _ new: FolderPath, _ disk: inout SimulatedDisk.State) throws(Errno) {
        let file = try disk.file(at: path)
        guard !isBroken(file.bytes, at: path) else { return }
        let directory = try disk.directory(making: new.parent, now: now)
        try disk.tree.link(new.leaf, in: directory, to: file.inode, now: now)
        disk.note(.created, new.leaf, in: directory)
    }
}
