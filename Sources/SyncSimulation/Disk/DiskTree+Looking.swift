import LocalFolder
import SyncModel
import SystemPackage

/// What programs see of a disk.
extension DiskTree {
    /// What a path leads to, from a directory on; the empty path and `.` to itself.
    func resolve(_ path: [UInt8], from directory: Inode) throws(Errno) -> Inode {
        var inode = directory
        for name in path.split(separator: UInt8(ascii: "/")) where !name.elementsEqual([UInt8(ascii: ".")]) {
            let node = try self[inode]
            guard node.isDirectory else { throw .notDirectory }
            guard let next = node.entries[Array(name)] else { throw .noSuchFileOrDirectory }
            inode = next
        }
        return inode
    }

    func status(_ inode: Inode, device: UInt64) throws(Errno) -> FileStatus {
        let node = try self[inode]
        return FileStatus(
            kind: node.kind,
            stamp: FileStamp(
                device: device, inode: node.number, size: Int64(node.bytes.count), modified: node.modified,
                changed: node.changed, mode: node.mode, born: node.born),
            links: UInt32(node.places.count), user: 1000, group: 1000)
    }

    func names(in directory: Inode) throws(Errno) -> [(name: Name, kind: EntryKind)] {
        let node = try self[directory]
        guard node.isDirectory else { throw .notDirectory }
        return node.entries.keys.sorted { $0.lexicographicallyPrecedes($1) }.map { name in
            (name, nodes[node.entries[name]!]?.kind ?? .file)
        }
    }

    /// The names from the root to a directory; `nil` for one that is no longer there.
    func path(of directory: Inode) -> [Name]? {
        var names: [Name] = []
        var inode = directory
        while inode != Self.root {
            guard let place = nodes[inode]?.places.first else { return nil }
            names.append(place.name)
            inode = place.directory
        }
        return names.reversed()
    }
}
