import LocalFolder

/// What a disk is made of.
extension DiskTree {
    /// A name in a directory.
    struct Place: Sendable, Hashable {
        var directory: Inode
        var name: Name
    }

    struct Node: Sendable {
        /// What programs see as its number: the first one that is free.
        var number: UInt64
        var born: Int64
        var isDirectory: Bool
        /// Whether it is a symbolic link; nobody follows it, so where it leads to is said nowhere.
        var isLink = false
        var bytes: [UInt8] = []
        var entries: [Name: Inode] = [:]
        /// The names that lead to it, oldest first; a directory has one at most.
        var places: [Place] = []
        var mode: UInt32
        var modified: Int64
        var changed: Int64
        /// How many programs have it open for writing.
        var writers = 0
        /// As it would come back after a loss of power; `nil`: never synced.
        var durable: DurableContent?
    }

    struct DurableContent: Sendable, Equatable {
        var bytes: [UInt8]
        var mode: UInt32
        var modified: Int64
    }
}

extension DiskTree.Node {
    var kind: EntryKind { isDirectory ? .directory : isLink ? .symlink : .file }
}
