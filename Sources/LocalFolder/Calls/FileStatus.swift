package import SyncModel

/// What a name stands for.
package enum EntryKind: UInt32, Sendable {
    case file = 0
    case directory = 1
    case symlink = 2
    case fifo = 3
    case socket = 4
    case device = 5
    case unknown = 6
}

/// What `stat` says of one name or descriptor.
package struct FileStatus: Sendable {
    package var kind: EntryKind
    package var stamp: FileStamp
    /// How many names the file has.
    package var links: UInt32
    package var user: UInt32
    package var group: UInt32

    package init(kind: EntryKind, stamp: FileStamp, links: UInt32, user: UInt32, group: UInt32) {
        self.kind = kind
        self.stamp = stamp
        self.links = links
        self.user = user
        self.group = group
    }
}
