/// How full a folder's file system is, in bytes.
public struct DiskSpace: Hashable, Sendable {
    /// What this user can still write.
    public var available: Int64
    /// Of the whole file system.
    public var size: Int64

    /// So much of so much.
    public init(available: Int64, size: Int64) {
        self.available = available
        self.size = size
    }
}

extension FolderRoot {
    /// The space of the file system that the folder is on, or `nil` where it cannot be told.
    public func diskSpace() -> DiskSpace? { disk.space(descriptor.raw) }
}
