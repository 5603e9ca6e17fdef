public import SyncModel

/// A field that holds an asset in the zone.
public struct ContentSource: Hashable, Sendable {
    public var record: RecordName
    public var field: String
    /// Of an asset in a list.
    public var index: Int?
    /// What the server called these bytes when both sides agreed; the field may hold others by now.
    public var checksum: String

    /// The field of a file record that holds the file's bytes.
    public static let fileField = "content"
}
