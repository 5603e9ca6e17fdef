import CloudKitSchema
public import CloudKitWire
import RecordPaths
public import SyncModel

/// The fields of a file record: a file that is no structured record, with its content as an asset (design.md §3).
public struct FileRecord: Hashable, Sendable {
    /// Where the file is; `nil` where a foreign record says nothing.
    public var path: String?
    /// The file's bytes; `nil` only in a foreign record.
    public var content: Asset?
    /// In bytes.
    public var size: Int64?
    /// Of the content.
    public var sha256: ContentHash?
    /// Milliseconds since 1970, UTC; the file's own time, cut from the file system's nanoseconds.
    public var modified: Int64?
    /// Whether the owner may execute the file.
    public var isExecutable: Bool

    /// What a local file is to its record.
    public init(
        path: FolderPath, content: Asset?, size: Int64, sha256: ContentHash, modified: Int64, isExecutable: Bool
    ) {
        self.path = PathAttribute.text(of: path)
        self.content = content
        self.size = size
        self.sha256 = sha256
        self.modified = modified
        self.isExecutable = isExecutable
    }

    /// Reads a fetched record; a field that is missing or of another type counts as missing, so that records of
    /// foreign clients can be shown as far as they go.
    public init(fields: [String: Field]) {
        func value(_ name: String) -> FieldValue? { fields[name]?.value }
        if case .string(let text)? = value("path") { path = text }
        if case .asset(let asset)? = value("content") { content = asset }
        if case .int64(let number)? = value("size"), number >= 0 { size = number }
        if case .string(let hex)? = value("sha256") { sha256 = ContentHash(hex: hex) }
        if case .timestamp(let time)? = value("modified") { modified = time }
        isExecutable = false
        if case .int64(let number)? = value("executable") { isExecutable = number != 0 }
        size = size ?? content?.size
    }

    /// The record's fields; an absent one is not among them.
    public var fields: [String: Field] {
        var fields: [String: Field] = ["executable": Field(.int64(isExecutable ? 1 : 0))]
        fields["path"] = path.map { Field(.string($0)) }
        fields["content"] = content.map { Field(.asset($0)) }
        fields["size"] = size.map { Field(.int64($0)) }
        fields["sha256"] = sha256.map { Field(.string($0.hex)) }
        fields["modified"] = modified.map { Field(.timestamp($0)) }
        return fields
    }

    /// What of a record with the same bytes is another one where somebody put its file anew: compare for equality only. Empty:
    /// nothing.
    public var renewal: String { modified.map { "\($0)" } ?? "" }
}
