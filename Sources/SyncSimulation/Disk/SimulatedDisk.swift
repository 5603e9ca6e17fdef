import FolderWatching
import LocalFolder
import SyncModel
import Synchronization
import SystemPackage

/// One device's disk: its tree, and what a watcher of it would be told.
///
/// The product reaches it by ``DeviceDisk``, people by ``act(_:)``. It lives as long as its world, whatever happens to the
/// programs that use it.
final class SimulatedDisk: Sendable {
    struct State: Sendable {
        var tree: DiskTree
        /// As `stat` numbers the file system.
        var device: UInt64 = 1
        /// Whether the file system is at its place.
        var isMounted = true
        /// Directories that are watched.
        var watched: Set<DiskTree.Inode> = []
        /// What the watcher has not been told yet.
        var events: [WatchEvent] = []
        var lastPairing: UInt32 = 0
    }

    /// What the folder's directory is called on every device.
    static let folder = "/folder"
    static let stateName = Array(FolderRoot.stateName.utf8)

    let time: SimulatedTime
    private let state: Mutex<State>

    init(time: SimulatedTime) {
        self.time = time
        state = Mutex(State(tree: DiskTree(now: time.wall)))
    }

    /// Looks at the disk or changes it, as no program of ours does.
    func act<Result, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try state.withLock(body)
    }

    /// What the watcher would be told now; it is told once.
    func takeEvents() -> [WatchEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    var hasEvents: Bool { state.withLock { !$0.events.isEmpty } }

    /// Watches a directory of the folder, `nil` being the folder itself.
    func watch(_ path: FolderPath?) {
        state.withLock { state in
            if let inode = try? state.tree.resolve(path?.bytes ?? [], from: DiskTree.root) {
                state.watched.insert(inode)
            }
        }
    }

    /// Every file that a person sees, by its path.
    func files() -> [FolderPath: [UInt8]] {
        state.withLock { $0.tree.files(below: DiskTree.root, skipping: Self.stateName) }
    }

    /// Every file that a person sees and may execute, by its path.
    func executables() -> [FolderPath: [UInt8]] {
        state.withLock { state in
            state.tree.files(below: DiskTree.root, skipping: Self.stateName) { $0.mode & 0o100 != 0 }
        }
    }

    /// Every file in the history, by its place.
    func history() -> [FolderPath: [UInt8]] {
        state.withLock { state in
            let history = Self.stateName + Array("/history".utf8)
            guard let inode = try? state.tree.resolve(history, from: DiskTree.root) else { return [:] }
            return state.tree.files(below: inode, skipping: [])
        }
    }
}

extension DiskTree {
    /// The files below a directory, but for those in one directory of it.
    func files(
        below directory: Inode, skipping skipped: Name, where isWanted: (Node) -> Bool = { _ in true }
    ) -> [FolderPath: [UInt8]] {
        var files: [FolderPath: [UInt8]] = [:]
        walk(below: directory, skipping: skipped) { path, node in
            if !node.isLink, isWanted(node) { files[path] = node.bytes }
        }
        return files
    }

    /// Where a person's symbolic links are.
    func links() -> [FolderPath] {
        var links: [FolderPath] = []
        walk(below: Self.root, skipping: SimulatedDisk.stateName) { path, node in
            if node.isLink { links.append(path) }
        }
        return links.sorted()
    }

    private func walk(
        below directory: Inode, skipping skipped: Name, at path: FolderPath? = nil, _ body: (FolderPath, Node) -> Void
    ) {
        for (name, inode) in nodes[directory]?.entries ?? [:] where path != nil || name != skipped {
            guard let node = nodes[inode] else { continue }
            let below = path.map { $0.appending(name: name) } ?? FolderPath(bytes: name)
            guard let below else { continue }
            if node.isDirectory {
                walk(below: inode, skipping: skipped, at: below, body)
            } else {
                body(below, node)
            }
        }
    }
}

extension SimulatedDisk.State {
    /// Tells the watcher of a change of a name, where its directory is watched.
    mutating func note(
        _ kind: PathChange.Kind, _ name: DiskTree.Name, in directory: DiskTree.Inode, isDirectory: Bool = false,
        pairing: UInt32 = 0
    ) {
        guard let above = tree.path(of: directory) else { return }
        if above.count == 2, above[0] == SimulatedDisk.stateName, above[1] == Array("cookies".utf8) {
            if kind == .created { events.append(.cookie(name)) }
            return
        }
        guard watched.contains(directory), above.first != SimulatedDisk.stateName else { return }
        if above.isEmpty, name == SimulatedDisk.stateName { return }
        let path = Array((above + [name]).joined(separator: [UInt8(ascii: "/")]))
        guard let path = FolderPath(bytes: path) else { return }
        events.append(.changed(PathChange(kind, path, isDirectory: isDirectory, pairing: pairing)))
    }

    /// Tells the watcher of a rename.
    mutating func noteMove(
        _ name: DiskTree.Name, in directory: DiskTree.Inode, to new: DiskTree.Name, in newDirectory: DiskTree.Inode,
        isDirectory: Bool
    ) {
        lastPairing += 1
        note(.movedFrom, name, in: directory, isDirectory: isDirectory, pairing: lastPairing)
        note(.movedTo, new, in: newDirectory, isDirectory: isDirectory, pairing: lastPairing)
    }
}
