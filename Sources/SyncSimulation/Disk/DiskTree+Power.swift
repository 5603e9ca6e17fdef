import LocalFolder
import SystemPackage

/// One step of the file system, as far as names are concerned: it is done wholly or not at all.
struct NameChange: Sendable {
    struct Entry: Sendable {
        var directory: DiskTree.Inode
        var name: DiskTree.Name
        var before: DiskTree.Inode?
        var after: DiskTree.Inode?

        init(
            _ directory: DiskTree.Inode, _ name: DiskTree.Name, _ before: DiskTree.Inode?, _ after: DiskTree.Inode?
        ) {
            self.directory = directory
            self.name = name
            self.before = before
            self.after = after
        }
    }

    var entries: [Entry]

    init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// Whether one of both has to happen after the other.
    func touches(_ other: NameChange) -> Bool {
        entries.contains { entry in
            other.entries.contains { $0.directory == entry.directory && $0.name == entry.name }
        }
    }
}

// What a loss of power leaves: POSIX promises bytes after the fsync of their file and names after that of their directory,
// and nothing of the rest, in no order. So does this disk, which makes it harsher than those that keep a journal.
extension DiskTree {
    /// `fsync`: of a file its bytes, of a directory the names in it.
    mutating func sync(_ inode: Inode) throws(Errno) {
        let node = try self[inode]
        guard node.isDirectory else {
            return setDurable(DurableContent(bytes: node.bytes, mode: node.mode, modified: node.modified), of: inode)
        }
        keep { $0.entries.contains { $0.directory == inode } }
    }

    /// `syncfs`, or the write-back that comes by itself.
    mutating func syncAll() {
        for (inode, node) in nodes where !node.isDirectory {
            setDurable(DurableContent(bytes: node.bytes, mode: node.mode, modified: node.modified), of: inode)
        }
        keep { _ in true }
    }

    /// Makes durable what is asked for, with what has to come before it.
    private mutating func keep(_ isAsked: (NameChange) -> Bool) {
        var isKept = unsynced.map(isAsked)
        // From the last to the first: what is kept needs the earlier changes of the same names.
        for index in unsynced.indices.reversed() where !isKept[index] {
            isKept[index] = unsynced[(index + 1)...].indices.contains { later in
                isKept[later] && unsynced[later].touches(unsynced[index])
            }
        }
        let kept = zip(unsynced, isKept).filter(\.1).map(\.0)
        for change in kept { makeDurable(change) }
        unsynced = zip(unsynced, isKept).filter { !$0.1 }.map(\.0)
        for inode in kept.flatMap(\.entries).compactMap(\.before) { forgetUnused(inode) }
    }

    private mutating func makeDurable(_ change: NameChange) {
        for entry in change.entries { durableNames[entry.directory, default: [:]][entry.name] = entry.after }
    }

    /// Whether a directory would be there after a loss of power, also if this file or directory were nowhere.
    private func isDurable(_ directory: Inode, without moved: Inode) -> Bool {
        var found: Set<Inode> = [Self.root]
        var next = [Self.root]
        while let current = next.popLast() {
            if current == directory { return true }
            for inode in (durableNames[current] ?? [:]).values where inode != moved && durableNames[inode] != nil {
                if found.insert(inode).inserted { next.append(inode) }
            }
        }
        return false
    }

    /// The power fails, and comes back: of what was not synced, some is there and some is not.
    mutating func losePower(_ random: inout SeededRandom, now: Int64) {
        // In one crash all is lost, in another nothing, in most of them some.
        let odds = random.below(4)
        for change in unsynced where odds > 0 && random.below(3) < odds {
            // No disk renames a file into a directory that it does not have, or a directory into itself.
            let fits = change.entries.allSatisfy { entry in
                durableNames[entry.directory]?[entry.name] == entry.before
                    && entry.after.map { isDurable(entry.directory, without: $0) } ?? true
            }
            if fits { makeDurable(change) }
        }
        var contents: [Inode: DurableContent] = [:]
        for inode in nodes.keys.sorted() {
            guard let node = nodes[inode], !node.isDirectory else { continue }
            contents[inode] = content(of: node, &random)
        }
        rebuild(
            content: { inode, node in contents[inode] ?? .init(bytes: [], mode: node.mode, modified: now) }, now: now)
    }

    private func content(of node: Node, _ random: inout SeededRandom) -> DurableContent {
        let current = DurableContent(bytes: node.bytes, mode: node.mode, modified: node.modified)
        if node.durable == current { return current }
        // A new mode or time alone endangers no bytes.
        if let durable = node.durable, durable.bytes == node.bytes { return random.once(in: 2) ? current : durable }
        switch random.below(4) {
        case 0: return current
        case 1: return node.durable ?? .init(bytes: [], mode: node.mode, modified: node.modified)
        case 2:
            let half = node.bytes.prefix(random.below(node.bytes.count + 1))
            return .init(bytes: Array(half), mode: node.mode, modified: node.modified)
        default:
            // The length was written, the bytes were not.
            return .init(bytes: Array(repeating: 0, count: node.bytes.count), mode: node.mode, modified: node.modified)
        }
    }
}
