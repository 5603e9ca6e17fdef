/// A regular file of the folder, as it was when it was last read.
public struct LocalFile: Hashable, Sendable {
    /// Where it is.
    public var path: FolderPath
    /// What `stat` said of it.
    public var stamp: FileStamp
    /// Of all its bytes; what stands for it where the file is too large to be read.
    public var hash: ContentHash
    /// Whether an equal stamp later proves equal bytes.
    ///
    /// False for a file that was read within the clock's grain of its last change: a write in the same tick would
    /// not show in the stamp, so the next scan must read it again, whatever the stamp says. Keep it with the stamp.
    public var isSettled: Bool

    /// Takes what a scan or a write found.
    public init(path: FolderPath, stamp: FileStamp, hash: ContentHash, isSettled: Bool) {
        self.path = path
        self.stamp = stamp
        self.hash = hash
        self.isSettled = isSettled
    }
}
