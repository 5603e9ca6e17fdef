/// What tells one file from another on one machine, whatever its name.
///
/// A file system gives the number of a deleted file to the next new one (ext4 at once): the time of birth, which nobody can
/// set and no rename changes, tells the two apart. Where the file system keeps none, the number alone has to do, and where
/// that matters, the bytes have to be equal too.
public struct FileIdentity: Hashable, Sendable {
    public var device: UInt64
    public var inode: UInt64
    /// When the file was made, in nanoseconds since 1970. 0: not known.
    public var born: Int64

    /// A file by its device, its inode and when it was made.
    public init(device: UInt64, inode: UInt64, born: Int64 = 0) {
        self.device = device
        self.inode = inode
        self.born = born
    }

    /// No file: no file system gives the number 0.
    public static let unknown = FileIdentity(device: 0, inode: 0)

    /// Whether this is a later look at the same file, as far as can be told: it may not have been known when it was made.
    public func isSame(as later: FileIdentity) -> Bool {
        device == later.device && inode == later.inode && [0, later.born].contains(born)
    }

    /// Whether this is the same file of a disk that has another number now, as with btrfs, device mapper and disks that are
    /// found in another order: by its inode and when it was made, which has to be known.
    public func isSame(onAnotherDevice later: FileIdentity) -> Bool {
        device != later.device && inode == later.inode && born == later.born && born != 0
    }
}

extension FileStamp {
    /// Which file this is a look at.
    public var file: FileIdentity { FileIdentity(device: device, inode: inode, born: born) }
}
