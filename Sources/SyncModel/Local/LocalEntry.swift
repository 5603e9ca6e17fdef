/// One file of the folder, as last seen.
public struct LocalEntry: Hashable, Sendable {
    public var path: FolderPath
    public var stamp: FileStamp
    /// Of the bytes that were read while the file had ``stamp``; what stands for it where it is too large to be read.
    public var hash: ContentHash
    public var form: FileForm
    /// Whether an equal stamp later proves equal bytes; see ``LocalFile/isSettled``.
    public var isSettled: Bool

    /// A file with the stamp, hash and form of one look at it.
    public init(path: FolderPath, stamp: FileStamp, hash: ContentHash, form: FileForm, isSettled: Bool = true) {
        self.path = path
        self.stamp = stamp
        self.hash = hash
        self.form = form
        self.isSettled = isSettled
    }

    /// Whether the owner may execute the file.
    public var executable: Bool { stamp.executable }

    /// Which file it is, by device and inode.
    public var file: FileIdentity { stamp.file }

    /// Whether this is the file that was agreed on, and it was not written to since. The number alone may have been given to a
    /// new file.
    public func isUntouched(since known: AgreedFile) -> Bool {
        file == known.file && hash == known.hash && [0, stamp.modified].contains(known.modified)
    }
}
