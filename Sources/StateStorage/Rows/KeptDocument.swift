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
}
