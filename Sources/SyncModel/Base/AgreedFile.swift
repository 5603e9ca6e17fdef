/// One file of the folder as both sides agreed on it: a record's own, or one that a structured record has as an asset.
public struct AgreedFile: Hashable, Sendable {
    public let record: RecordName
    public let path: FolderPath
    public let hash: ContentHash
    public let file: FileIdentity
    /// When its bytes last changed, in nanoseconds since 1970; 0: not known.
    public let modified: Int64
    public let isAsset: Bool

    /// A file of a record, at the path and with the bytes that were agreed on.
    public init(
        record: RecordName, path: FolderPath, hash: ContentHash, file: FileIdentity, modified: Int64, isAsset: Bool
    ) {
        self.record = record
        self.path = path
        self.hash = hash
        self.file = file
        self.modified = modified
        self.isAsset = isAsset
    }
}
