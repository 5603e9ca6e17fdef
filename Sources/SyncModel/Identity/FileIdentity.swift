/// What tells one file from another on one machine, whatever its name.
///
/// A file system gives the number of a deleted file to a new one: where that matters, the bytes have to be equal too.
public struct FileIdentity: Hashable, Sendable {
    public var device: UInt64
    public var inode: UInt64

    /// A file by its device and inode.
    public init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

extension FileStamp {
    /// Which file this is a look at.
    public var file: FileIdentity { FileIdentity(device: device, inode: inode) }
}
