/// What `statx` says of a file: two equal stamps mean that nobody wrote to it in between.
///
/// The change time guards against a rewrite that puts the modification time back. A file whose times lie
/// within the clock's grain of the look itself may still change unseen: see ``isSettled(asOf:)``.
public struct FileStamp: Hashable, Sendable {
    public var device: UInt64
    public var inode: UInt64
    /// In bytes.
    public var size: Int64
    /// Modification time, in nanoseconds since 1970.
    public var modified: Int64
    /// Status change time, in nanoseconds since 1970.
    public var changed: Int64
    /// Permission bits, without the file's type; ``unkeptMode`` where the disk keeps none.
    public var mode: UInt32
    /// When the file was made, in nanoseconds since 1970. 0: the file system keeps no such time.
    public var born: Int64

    /// Takes the fields of `statx`.
    public init(
        device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64, mode: UInt32, born: Int64 = 0
    ) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
        self.mode = mode
        self.born = born
    }

    /// Stands for the mode of every file on a disk that keeps none.
    public static let unkeptMode: UInt32 = 1 << 31

    /// Whether the disk keeps who may do what with a file.
    public var isModeKept: Bool { mode != Self.unkeptMode }

    /// Whether the owner may execute the file; no, where the disk keeps no such thing.
    public var executable: Bool { mode & 0o100 != 0 }

    /// Whether the owner may execute the file; what is agreed on, where the disk does not tell.
    public func executable(orAgreed agreed: Bool) -> Bool { isModeKept ? executable : agreed }

    /// Whether a write after `now` is sure to show in the change time: the kernel stamps files with a tick of up to
    /// 10 ms, so a change within the same tick as the last one would leave the stamp as it was.
    ///
    /// Some file systems keep whole seconds (ext3, HFS+, ext4 with inodes of 128 bytes), or every other one (FAT). A time
    /// without a fraction is taken for one of theirs: on all others hardly any file has one.
    ///
    /// The modification time says nothing here, since anybody can set it. A change time in the future, left by a clock
    /// that was put back, is settled: a write now would show.
    /// - Parameter now: Nanoseconds since 1970, read before the file's content was.
    public func isSettled(asOf now: Int64) -> Bool {
        let grain = Self.tick + (changed % Self.second == 0 ? 2 * Self.second : 0)
        return !(now - grain...now + grain).contains(changed)
    }

    /// Twice as long as the kernel's.
    private static let tick: Int64 = 20_000_000
    private static let second: Int64 = 1_000_000_000

    /// Whether two stamps are of one file, whatever was written to it.
    public func isSameFile(as other: FileStamp) -> Bool {
        device == other.device && inode == other.inode
    }
}
