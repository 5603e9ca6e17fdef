import FolderWriting
import LocalFolder
import SyncModel
import SystemPackage

/// The files and directories of a simulated disk: a value, so that a moment of it can be kept and compared.
///
/// Only what the product asks of a disk is here: regular files, directories, symbolic and hard links, exchange; errors are those of Linux.
/// Every change of a name is also noted as not yet durable; ``DiskTree/losePower(_:)`` decides what becomes of it.
struct DiskTree: Sendable {
    typealias Inode = UInt64
    typealias Name = [UInt8]

    static let root: Inode = 1

    private(set) var nodes: [Inode: Node]
    private(set) var lastInode: Inode = 1
    /// Numbers of files that are gone.
    private var freeNumbers: Set<UInt64> = []
    /// How many bytes all files have together.
    private(set) var used = 0
    /// Changes of names that a loss of power may undo, oldest first.
    var unsynced: [NameChange] = []
    /// The names that come back after a loss of power, by directory.
    var durableNames: [Inode: [Name: Inode]] = [root: [:]]
    /// How many bytes files may have in all.
    var capacity = Int.max

    init(now: Int64) {
        nodes = [
            Self.root: Node(number: 1, born: now, isDirectory: true, mode: 0o755, modified: now, changed: now)
        ]
    }

    subscript(inode: Inode) -> Node {
        get throws(Errno) {
            guard let node = nodes[inode] else { throw .noSuchFileOrDirectory }
            return node
        }
    }

    /// Makes an empty file or directory.
    mutating func make(
        _ name: Name, in directory: Inode, isDirectory: Bool, mode: UInt32, now: Int64
    ) throws(Errno) -> Inode {
        try checkFree(name, in: directory)
        guard used < capacity else { throw .noSpace }
        lastInode += 1
        let number = freeNumbers.min() ?? UInt64(nodes.count + 1)
        freeNumbers.remove(number)
        nodes[lastInode] = Node(
            number: number, born: now, isDirectory: isDirectory, mode: mode, modified: now, changed: now)
        if isDirectory { durableNames[lastInode] = [:] }
        try apply(NameChange([.init(directory, name, nil, lastInode)]), now: now)
        return lastInode
    }

    /// Makes a symbolic link.
    mutating func makeLink(_ name: Name, in directory: Inode, now: Int64) throws(Errno) {
        let inode = try make(name, in: directory, isDirectory: false, mode: 0o777, now: now)
        nodes[inode]?.isLink = true
    }

    mutating func link(_ name: Name, in directory: Inode, to inode: Inode, now: Int64) throws(Errno) {
        try checkFree(name, in: directory)
        guard try !self[inode].isDirectory else { throw .notPermitted }
        try apply(NameChange([.init(directory, name, nil, inode)]), now: now)
    }

    mutating func removeFile(_ name: Name, in directory: Inode, now: Int64) throws(Errno) {
        let inode = try entry(name, in: directory)
        guard try !self[inode].isDirectory else { throw .isDirectory }
        try apply(NameChange([.init(directory, name, inode, nil)]), now: now)
    }

    mutating func removeDirectory(_ name: Name, in directory: Inode, now: Int64) throws(Errno) {
        let inode = try entry(name, in: directory)
        let node = try self[inode]
        guard node.isDirectory else { throw .notDirectory }
        guard node.entries.isEmpty else { throw .directoryNotEmpty }
        try apply(NameChange([.init(directory, name, inode, nil)]), now: now)
    }

    /// Moves a file or directory; over a file that is there, or to a free name only.
    mutating func rename(
        _ name: Name, in directory: Inode, to new: Name, in newDirectory: Inode, replacing: Bool, now: Int64
    ) throws(Errno) {
        let inode = try entry(name, in: directory)
        try checkLinked(newDirectory)
        let old = nodes[newDirectory]?.entries[new]
        if let old {
            guard replacing else { throw .fileExists }
            guard try !self[old].isDirectory else { throw .isDirectory }
            guard old != inode else { return }
        }
        if try self[inode].isDirectory, isInside(newDirectory, inode) { throw .invalidArgument }
        try apply(
            NameChange([.init(directory, name, inode, nil), .init(newDirectory, new, old, inode)]), now: now)
    }

    mutating func exchange(
        _ name: Name, in directory: Inode, with other: Name, in otherDirectory: Inode, now: Int64
    ) throws(Errno) {
        let first = try entry(name, in: directory)
        let second = try entry(other, in: otherDirectory)
        try apply(
            NameChange([.init(directory, name, first, second), .init(otherDirectory, other, second, first)]), now: now)
    }

    /// Changes a file's bytes and times.
    mutating func change(_ inode: Inode, now: Int64, _ body: (inout Node) -> Void) throws(Errno) {
        var node = try self[inode]
        let before = node.bytes.count
        body(&node)
        guard node.bytes.count <= before || used - before + node.bytes.count <= capacity else { throw .noSpace }
        node.changed = now
        used += node.bytes.count - before
        nodes[inode] = node
    }

    /// Says how many programs have a file open for writing, which is no change of it.
    mutating func setWriters(_ count: Int, of inode: Inode) {
        nodes[inode]?.writers = count
        forgetUnused(inode)
    }

    mutating func setDurable(_ content: DurableContent?, of inode: Inode) {
        nodes[inode]?.durable = content
    }

    private func entry(_ name: Name, in directory: Inode) throws(Errno) -> Inode {
        let node = try self[directory]
        guard node.isDirectory else { throw .notDirectory }
        guard let inode = node.entries[name] else { throw .noSuchFileOrDirectory }
        return inode
    }

    private func checkFree(_ name: Name, in directory: Inode) throws(Errno) {
        try checkLinked(directory)
        guard nodes[directory]?.entries[name] == nil else { throw .fileExists }
    }

    /// A directory that was removed takes no more names.
    private func checkLinked(_ directory: Inode) throws(Errno) {
        let node = try self[directory]
        guard node.isDirectory else { throw .notDirectory }
        guard directory == Self.root || !node.places.isEmpty else { throw .noSuchFileOrDirectory }
    }

    private func isInside(_ directory: Inode, _ above: Inode) -> Bool {
        var inode: Inode? = directory
        while let next = inode {
            if next == above { return true }
            inode = nodes[next]?.places.first?.directory
        }
        return false
    }

    private mutating func apply(_ change: NameChange, now: Int64) throws(Errno) {
        for entry in change.entries {
            nodes[entry.directory]?.entries[entry.name] = entry.after
            nodes[entry.directory]?.modified = now
            nodes[entry.directory]?.changed = now
        }
        for entry in change.entries {
            guard let before = entry.before else { continue }
            let place = Place(directory: entry.directory, name: entry.name)
            nodes[before]?.places.removeAll { $0 == place }
            nodes[before]?.changed = now
        }
        for entry in change.entries {
            guard let after = entry.after else { continue }
            nodes[after]?.places.append(Place(directory: entry.directory, name: entry.name))
            nodes[after]?.changed = now
        }
        unsynced.append(change)
        for inode in change.entries.compactMap(\.before) { forgetUnused(inode) }
    }

    /// A file without a name stays as long as it may come back or is written to.
    mutating func forgetUnused(_ inode: Inode) {
        guard let node = nodes[inode], node.places.isEmpty, node.writers == 0, !node.isDirectory else { return }
        let isNamed = unsynced.contains { $0.entries.contains { $0.before == inode || $0.after == inode } }
        guard !isNamed else { return }
        used -= node.bytes.count
        freeNumbers.insert(node.number)
        nodes[inode] = nil
    }

    /// Puts the tree back to what is durable; see ``losePower(_:now:)``.
    mutating func rebuild(content: (Inode, Node) -> DurableContent, now: Int64) {
        var rebuilt: [Inode: Node] = [:]
        func take(_ directory: Inode, at places: [Place]) {
            var node = nodes[directory]!
            node.entries = [:]
            node.writers = 0
            node.places = places
            rebuilt[directory] = node
            for (name, inode) in durableNames[directory] ?? [:] {
                guard let below = nodes[inode] else { continue }
                let place = Place(directory: directory, name: name)
                if below.isDirectory {
                    guard rebuilt[inode] == nil else { continue }
                    take(inode, at: [place])
                } else if rebuilt[inode] != nil {
                    rebuilt[inode]!.places.append(place)
                } else {
                    let content = content(inode, below)
                    // With bytes that were synced come the times that were.
                    let isSynced = below.durable?.bytes == below.bytes && content.modified == below.modified
                    rebuilt[inode] = Node(
                        number: below.number, born: below.born, isDirectory: false, isLink: below.isLink,
                        bytes: content.bytes,
                        places: [place], mode: content.mode,
                        modified: content.modified, changed: isSynced ? below.changed : now, durable: content)
                }
                rebuilt[directory]!.entries[name] = inode
            }
        }
        take(Self.root, at: [])
        freeNumbers.formUnion(nodes.filter { rebuilt[$0.key] == nil }.values.map(\.number))
        nodes = rebuilt
        used = nodes.values.reduce(0) { $0 + $1.bytes.count }
        unsynced = []
        durableNames = rebuilt.filter(\.value.isDirectory).mapValues(\.entries)
    }
}

extension FolderPath {
    /// The last name.
    var leaf: DiskTree.Name { Array(name) }
}
