import FolderWatching
import LocalFolder
import SyncModel
import Synchronization
import SystemPackage

/// A disk as one run of the product uses it: it ends with the run, and what it is asked can fail.
///
/// Before each call, `onCall` may do anything: let a person act in just this instant, fail the call, or end the run.
final class DeviceDisk: FolderDisk {
    let disk: SimulatedDisk
    private let openFiles = OpenFiles()
    private let randomness: Mutex<SeededRandom>
    private let onCall: @Sendable (DiskCall) throws(Errno) -> Void

    init(
        _ disk: SimulatedDisk, random: SeededRandom, onCall: @escaping @Sendable (DiskCall) throws(Errno) -> Void
    ) {
        self.disk = disk
        self.onCall = onCall
        randomness = Mutex(random)
    }

    /// One call: what may happen before it, and then the call itself.
    private func call<Result: Sendable>(
        _ call: DiskCall, _ body: (inout SimulatedDisk.State) throws(Errno) -> Result
    ) throws(Errno) -> Result {
        disk.time.tick()
        try onCall(call)
        var result: Result?
        try disk.act { state throws(Errno) in
            result = try body(&state)
        }
        return result!
    }

    private func inode(_ descriptor: Int32) throws(Errno) -> DiskTree.Inode { try openFiles[descriptor].inode }

    private var now: Int64 { disk.time.wall }

    // MARK: Opening

    func openRoot(_ path: UnsafePointer<UInt8>) throws(Errno) -> Int32 {
        // Where the disk is unmounted, an empty directory of another file system is at its place; what was opened before
        // goes on.
        let isMounted = try call(.look) { state throws(Errno) in state.isMounted }
        return openFiles.open(isMounted ? DiskTree.root : Self.mountPoint)
    }

    func open(
        _ path: UnsafePointer<UInt8>, beneath directory: Int32, _ mode: OpenMode, sameMount: Bool
    ) throws(Errno) -> Int32 {
        let above = try inode(directory)
        let path = bytes(path)
        let inode = try call(mode == .new ? .makeFile : .look) { state throws(Errno) in
            if mode == .new {
                let made = try state.tree.make(path, in: above, isDirectory: false, mode: 0o644, now: now)
                state.note(.created, path, in: above)
                return made
            }
            let inode = try state.tree.resolve(path, from: above)
            let node = try state.tree[inode]
            if mode == .directory, !node.isDirectory { throw .notDirectory }
            if node.isLink { throw .tooManySymbolicLinkLevels }
            if mode == .read, !node.isDirectory, node.mode & 0o400 == 0 { throw .permissionDenied }
            return inode
        }
        if mode == .new || mode == .write {
            disk.act { state in
                state.tree.setWriters((state.tree.nodes[inode]?.writers ?? 0) + 1, of: inode)
            }
        }
        return openFiles.open(inode, isWritable: mode == .new || mode == .write)
    }

    func close(_ descriptor: Int32) {
        guard let file = openFiles.close(descriptor), file.isWritable else { return }
        disk.act { state in
            state.tree.setWriters(max(0, (state.tree.nodes[file.inode]?.writers ?? 1) - 1), of: file.inode)
        }
    }

    // MARK: Looking

    private static let mountPoint = DiskTree.Inode.max

    func status(_ descriptor: Int32) throws(Errno) -> FileStatus {
        let inode = try inode(descriptor)
        if inode == Self.mountPoint {
            let stamp = FileStamp(device: 99, inode: 2, size: 0, modified: 0, changed: 0, mode: 0o755)
            return FileStatus(kind: .directory, stamp: stamp, links: 2, user: 0, group: 0)
        }
        return try call(.look) { state throws(Errno) in try state.tree.status(inode, device: state.device) }
    }

    func status(of name: UnsafePointer<UInt8>, in directory: Int32) throws(Errno) -> FileStatus {
        let above = try inode(directory)
        let name = bytes(name)
        return try call(.look) { state throws(Errno) in
            try state.tree.status(state.tree.resolve(name, from: above), device: state.device)
        }
    }

    func list(
        _ directory: Int32, _ body: (UnsafePointer<UInt8>, _ length: Int, EntryKind) -> Void
    ) throws(Errno) {
        let inode = try inode(directory)
        guard inode != Self.mountPoint else { return }
        let names = try call(.list) { state throws(Errno) in try state.tree.names(in: inode) }
        for (name, kind) in names {
            (name + [0]).withUnsafeBufferPointer { body($0.baseAddress!, name.count, kind) }
        }
    }

    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        let file = try openFiles[descriptor]
        let piece = try call(.read(file.inode)) { state throws(Errno) in
            Array(try state.tree[file.inode].bytes.dropFirst(file.offset).prefix(buffer.count))
        }
        buffer.copyBytes(from: piece)
        openFiles.advance(descriptor, by: piece.count)
        return piece.count
    }

    func hasWriter(_ descriptor: Int32) -> Bool? {
        guard let inode = try? inode(descriptor) else { return nil }
        return disk.act { state in (state.tree.nodes[inode]?.writers ?? 0) > 0 }
    }

    // MARK: Writing

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
        let inode = try inode(descriptor)
        try call(.write(inode)) { state throws(Errno) in
            try state.tree.change(inode, now: now) { node in
                node.bytes += bytes
                node.modified = now
            }
        }
        return bytes.count
    }

    func sync(_ descriptor: Int32) throws(Errno) {
        let inode = try inode(descriptor)
        try call(.sync) { state throws(Errno) in try state.tree.sync(inode) }
    }

    func syncFileSystem(_ descriptor: Int32) throws(Errno) {
        try call(.sync) { state throws(Errno) in state.tree.syncAll() }
    }

    func exchange(_ name: DiskName, _ other: DiskName) throws(Errno) {
        let (from, to) = (try inode(name.directory), try inode(other.directory))
        let (first, second) = (bytes(name.name), bytes(other.name))
        try call(.rename) { state throws(Errno) in
            try state.tree.exchange(first, in: from, with: second, in: to, now: now)
            // What arrives is told before what leaves, as Linux does.
            state.lastPairing += 2
            state.note(.movedTo, second, in: to, pairing: state.lastPairing)
            state.note(.movedFrom, first, in: from, pairing: state.lastPairing)
            state.note(.movedTo, first, in: from, pairing: state.lastPairing - 1)
            state.note(.movedFrom, second, in: to, pairing: state.lastPairing - 1)
        }
    }

    func renameNew(_ name: DiskName, to new: DiskName) throws(Errno) {
        try rename(name, to: new, replacing: false)
    }

    func renameOver(_ name: DiskName, to new: DiskName) throws(Errno) {
        try rename(name, to: new, replacing: true)
    }

    private func rename(_ name: DiskName, to new: DiskName, replacing: Bool) throws(Errno) {
        let (from, to) = (try inode(name.directory), try inode(new.directory))
        let (old, new) = (bytes(name.name), bytes(new.name))
        try call(.rename) { state throws(Errno) in
            try state.tree.rename(old, in: from, to: new, in: to, replacing: replacing, now: now)
            state.noteMove(old, in: from, to: new, in: to, isDirectory: false)
        }
    }

    func link(_ name: DiskName, to new: DiskName) throws(Errno) {
        let (from, to) = (try inode(name.directory), try inode(new.directory))
        let (old, new) = (bytes(name.name), bytes(new.name))
        try call(.rename) { state throws(Errno) in
            try state.tree.link(new, in: to, to: state.tree.resolve(old, from: from), now: now)
            state.note(.created, new, in: to)
        }
    }

    func makeDirectory(_ name: DiskName, mode: UInt32) throws(Errno) {
        let above = try inode(name.directory)
        let name = bytes(name.name)
        try call(.makeDirectory) { state throws(Errno) in
            _ = try state.tree.make(name, in: above, isDirectory: true, mode: mode, now: now)
            state.note(.created, name, in: above, isDirectory: true)
        }
    }

    func removeFile(_ name: DiskName) throws(Errno) {
        let above = try inode(name.directory)
        let name = bytes(name.name)
        try call(.remove) { state throws(Errno) in
            try state.tree.removeFile(name, in: above, now: now)
            state.note(.deleted, name, in: above)
        }
    }

    func removeDirectory(_ name: DiskName) throws(Errno) {
        let above = try inode(name.directory)
        let name = bytes(name.name)
        try call(.remove) { state throws(Errno) in
            try state.tree.removeDirectory(name, in: above, now: now)
            state.note(.deleted, name, in: above, isDirectory: true)
        }
    }

    func setMode(_ descriptor: Int32, _ mode: UInt32) throws(Errno) {
        let inode = try inode(descriptor)
        try call(.setAttributes) { state throws(Errno) in
            try state.tree.change(inode, now: now) { $0.mode = mode }
        }
    }

    func setOwner(_ descriptor: Int32, user: UInt32, group: UInt32) throws(Errno) {
        throw .notPermitted
    }

    func setModified(_ descriptor: Int32, _ time: Int64) throws(Errno) {
        let inode = try inode(descriptor)
        try call(.setAttributes) { state throws(Errno) in
            try state.tree.change(inode, now: now) { $0.modified = time }
        }
    }

    func copyAttributes(from old: Int32, to new: Int32) -> Int { 0 }

    func random() -> UInt64 {
        randomness.withLock { $0.next() }
    }

    private func bytes(_ text: UnsafePointer<UInt8>) -> [UInt8] {
        var end = text
        while end.pointee != 0 { end += 1 }
        return Array(UnsafeBufferPointer(start: text, count: end - text))
    }
}
