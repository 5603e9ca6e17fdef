public import SyncModel

/// A conflict copy that waits for a person.
public struct ConflictRow: Hashable, Sendable {
    /// The path of the copy.
    public var copy: FolderPath
    /// The path of the file beside which it was put.
    public var original: FolderPath
    public var record: RecordName
    /// The fields that collided; empty where whole files did.
    public var fields: [String]
    /// Of the copy's bytes.
    public var hash: ContentHash
    public var atMilliseconds: Int64

    /// A copy of a file, with the fields that collided.
    public init(
        copy: FolderPath, original: FolderPath, record: RecordName, fields: [String], hash: ContentHash,
        atMilliseconds: Int64
    ) {
        self.copy = copy
        self.original = original
        self.record = record
        self.fields = fields
        self.hash = hash
        self.atMilliseconds = atMilliseconds
    }
}
