public import SyncModel

/// An earlier JSON text of a file: one on which both sides had agreed, and which an edit or a deletion here replaced.
public struct KeptDocument: Hashable, Sendable {
    /// Rises with each.
    public var id: Int64
    /// Where the file was.
    public var path: FolderPath
    /// When both sides agreed on what replaced it, in milliseconds since 1970.
    public var atMilliseconds: Int64
    /// When its bytes were written, in milliseconds since 1970.
    public var writtenMilliseconds: Int64
    /// What replaced it.
    public var reason: KeptReason
    public var executable: Bool
    /// In bytes.
    public var size: Int64

    package init(
        id: Int64, path: FolderPath, atMilliseconds: Int64, writtenMilliseconds: Int64, reason: KeptReason,
        executable: Bool, size: Int64
    ) {
        self.id = id
        self.path = path
        self.atMilliseconds = atMilliseconds
        self.writtenMilliseconds = writtenMilliseconds
        self.reason = reason
        self.executable = executable
        self.size = size
    }
}

/// The JSON text of a file on which both sides agree so far.
public struct AgreedDocument: Hashable, Sendable {
    public var record: RecordName
    /// Where the file was then.
    public var path: FolderPath
    public var hash: ContentHash
    public var executable: Bool
    /// When the file's bytes were written, in nanoseconds since 1970; 0: not known.
    public var modified: Int64
    /// In bytes.
    public var size: Int64

    package init(
        record: RecordName, path: FolderPath, hash: ContentHash, executable: Bool, modified: Int64, size: Int64
    ) {
        self.record = record
        self.path = path
        self.hash = hash
        self.executable = executable
        self.modified = modified
        self.size = size
    }
}
