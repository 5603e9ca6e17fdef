import FolderWatching
import SyncModel
import SystemPackage

/// A person at a device: what they do in the folder, with any program but ours.
///
/// Each act is done to the disk as it stands, and told to the ledger; one that makes no sense there (the file is gone, a
/// folder is in the way) is not done.
struct Person {
    let device: Int
    /// Of the wall clock, in nanoseconds since 1970.
    let now: Int64

    static let ignoreFile = FolderPath(".zonefolderignore")!

    /// What of an act comes a moment later.
    struct Rest: Sendable {
        var event: Int
        var path: FolderPath
        var bytes: [UInt8]
        /// The file that is open, or `nil` where one is still to be made.
        var inode: DiskTree.Inode?
        var isSynced: Bool
    }

    /// Does an act; gives what is to be done later.
    func act(_ act: Act, number: Int, on disk: inout SimulatedDisk.State, _ ledger: inout Ledger) -> Rest? {
        do throws(Errno) {
            switch act {
            case .save(let path, let style):
                return try save(FolderPath(path)!, style, number, &disk, &ledger)
            case .rename(let path, let new):
                try rename(FolderPath(path)!, FolderPath(new)!, number, &disk, &ledger)
            case .moveFolder(let path, let new): try moveFolder(FolderPath(path)!, FolderPath(new)!, &disk)
            case .delete(let path): try delete(FolderPath(path)!, number, &disk, &ledger)
            case .deleteFolder(let path): try deleteFolder(FolderPath(path)!, number, &disk, &ledger)
            case .copy(let path, let new): try copy(FolderPath(path)!, FolderPath(new)!, number, &disk, &ledger)
            case .link(let path, let new): try link(FolderPath(path)!, FolderPath(new)!, &disk)
            case .cover(let path): try cover(FolderPath(path)!, number, &disk, &ledger)
            case .uncover(let path): try uncover(FolderPath(path)!, &disk)
            case .rotate(let kind): try rotate(Workload.paths(of: kind), number, &disk, &ledger)
            case .ignore(let rule):
                try write(Array("\(rule)\n".utf8), to: Self.ignoreFile, number, &disk, &ledger)
            case .attach(let path, let file):
                try attach(FolderPath(path)!, to: FolderPath(file)!, number, &disk, &ledger)
            case .detach(let file, let fate): try detach(from: FolderPath(file)!, fate, number, &disk, &ledger)
            case .renameAttached(let file, let new):
                try renameAttached(to: FolderPath(new)!, in: FolderPath(file)!, number, &disk, &ledger)
            case .refer(let file, let target):
                try refer(from: FolderPath(file)!, to: FolderPath(target)!, number, &disk, &ledger)
            case .setExecutable(let path):
                let file = try disk.file(at: FolderPath(path)!)
                try disk.tree.change(file.inode, now: now) { $0.mode ^= 0o100 }
                disk.note(.attributes, file.name, in: file.directory)
            default: break
            }
        } catch {
            // It made no sense there: the person sees an error, and lets it be.
        }
        return nil
    }

    /// Takes back all rules of what is ignored.
    func ignoreNothing(on disk: inout SimulatedDisk.State, _ ledger: inout Ledger) {
        try? write([], to: Self.ignoreFile, -1, &disk, &ledger)
    }

    /// Puts a whole file in the place of a broken one.
    func mend(
        _ path: FolderPath, with bytes: [UInt8], on disk: inout SimulatedDisk.State, _ ledger: inout Ledger
    ) {
        try? write(bytes, to: path, -1, &disk, &ledger)
    }

    /// Does what an act left for later.
    func finish(_ rest: Rest, on disk: inout SimulatedDisk.State, _ ledger: inout Ledger) {
        do throws(Errno) {
            guard let inode = rest.inode else {
                try write(rest.bytes, to: rest.path, rest.event, &disk, &ledger)
                return
            }
            // Where another program took the name away, what is written now is nobody's.
            guard let node = disk.tree.nodes[inode], !node.places.isEmpty else {
                return disk.tree.setWriters(0, of: inode)
            }
            try disk.tree.change(inode, now: now) { node in
                node.bytes = rest.bytes
                node.modified = now
            }
            if rest.isSynced { try disk.tree.sync(inode) }
            ledger.wrote(rest.bytes, over: node.bytes, by: rest.event, on: device)
            // Nobody is told of its other names.
            let named = (try? disk.file(at: rest.path)).flatMap { file in
                file.inode == inode ? DiskTree.Place(directory: file.directory, name: file.name) : nil
            }
            if let place = named ?? node.places.first {
                disk.note(.modified, place.name, in: place.directory)
                disk.note(.closedAfterWrite, place.name, in: place.directory)
            }
            disk.tree.setWriters(max(0, node.writers - 1), of: inode)
        } catch {
            // The disk is full: the program says so, and the file stays as it is.
            if let inode = rest.inode { disk.tree.setWriters(0, of: inode) }
        }
    }

    /// Whether a power failure cut a JSON file off: a person who sees that mends it before they do anything else with it.
    func isBroken(_ bytes: [UInt8]?, at path: FolderPath) -> Bool {
        path.isJSON && bytes.map { !Contents.isObject($0) } ?? false
    }

    // MARK: Saving

    private func save(
        _ path: FolderPath, _ style: SaveStyle, _ number: Int, _ disk: inout SimulatedDisk.State,
        _ ledger: inout Ledger
    ) throws(Errno) -> Rest? {
        let old = try? disk.file(at: path)
        guard !isBroken(old?.bytes, at: path) else { return nil }
        let bytes = Contents.next(at: path, after: old?.bytes, by: number)
        switch style {
        case .inPlace, .inPlaceSynced:
            let file: SimulatedDisk.State.File
            if let old {
                // Two programs that write into one file at once are a mess of their own.
                guard try disk.tree[old.inode].writers == 0 else { return nil }
                file = old
                ledger.deleted(old.bytes, by: number)
                try disk.tree.change(file.inode, now: now) { node in
                    node.bytes = []
                    node.modified = now
                }
                disk.note(.modified, file.name, in: file.directory)
            } else {
                file = try disk.make(path, now: now)
            }
            disk.tree.setWriters(1, of: file.inode)
            return Rest(
                event: number, path: path, bytes: bytes, inode: file.inode, isSynced: style == .inPlaceSynced)
        case .replace:
            let directory = try disk.directory(making: path.parent, now: now)
            let temporary = Array(".goutputstream-W\(number)".utf8)
            let inode = try disk.tree.make(temporary, in: directory, isDirectory: false, mode: 0o644, now: now)
            disk.note(.created, temporary, in: directory)
            try disk.tree.change(inode, now: now) { $0.bytes = bytes }
            try disk.tree.sync(inode)
            try disk.tree.rename(
                temporary, in: directory, to: path.leaf, in: directory, replacing: true, now: now)
            disk.noteMove(temporary, in: directory, to: path.leaf, in: directory, isDirectory: false)
            ledger.wrote(bytes, over: old?.bytes, by: number, on: device)
        case .backup:
            if let old {
                let backup = old.name + [UInt8(ascii: "~")]
                if let over = try? disk.tree.resolve(backup, from: old.directory), let node = disk.tree.nodes[over] {
                    ledger.deleted(node.bytes, by: number)
                }
                try disk.tree.rename(
                    old.name, in: old.directory, to: backup, in: old.directory, replacing: true, now: now)
                disk.noteMove(old.name, in: old.directory, to: backup, in: old.directory, isDirectory: false)
                ledger.deleted(old.bytes, by: number)
            }
            try write(bytes, to: path, number, &disk, &ledger)
        case .deleteFirst:
            if let old {
                try disk.tree.removeFile(old.name, in: old.directory, now: now)
                disk.note(.deleted, old.name, in: old.directory)
                ledger.deleted(old.bytes, by: number)
            }
            return Rest(event: number, path: path, bytes: bytes, inode: nil, isSynced: false)
        }
        return nil
    }

    /// Writes a file at once, over what is there.
    func write(
        _ bytes: [UInt8], to path: FolderPath, _ number: Int, _ disk: inout SimulatedDisk.State,
        _ ledger: inout Ledger
    ) throws(Errno) {
        let old = try? disk.file(at: path)
        if let old, try disk.tree[old.inode].writers > 0 || number >= 0 && isBroken(old.bytes, at: path) { return }
        let file: SimulatedDisk.State.File
        if let old { file = old } else { file = try disk.make(path, now: now) }
        try disk.tree.change(file.inode, now: now) { node in
            node.bytes = bytes
            node.modified = now
        }
        disk.note(.modified, file.name, in: file.directory)
        disk.note(.closedAfterWrite, file.name, in: file.directory)
        ledger.wrote(bytes, over: old?.bytes, by: number, on: device)
    }
}
