/// One file of the folder, as last seen.
public struct LocalEntry: Hashable, Sendable {
    public var path: FolderPath
    public var stamp: FileStamp
    /// Of the bytes that were read while the file had ``stamp``.
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
}
