/// An asset on which both sides agreed: which file it is here, and what the server calls its content.
public struct AgreedAsset: Hashable, Sendable {
    /// The name of the field.
    public var field: String
    /// The place in a field that is a list; `nil` where the field is one asset.
    public var index: Int?
    public var path: FolderPath
    public var hash: ContentHash
    /// The server's own checksum of the same bytes.
    public var checksum: String
    /// By which a file that a person renames is recognised; `nil`: not known.
    public var file: FileIdentity?
    /// What the record said of it when somebody last put another file with the same bytes in its place: opaque, compare for
    /// equality only. Empty: nothing.
    public var renewal: String

    /// The asset of a field, with its file's path and hash, the server's checksum, which file it is, and what was said of it.
    public init(
        field: String, index: Int? = nil, path: FolderPath, hash: ContentHash, checksum: String,
        file: FileIdentity? = nil, renewal: String = ""
    ) {
        self.field = field
        self.index = index
        self.path = path
        self.hash = hash
        self.checksum = checksum
        self.file = file
        self.renewal = renewal
    }
}
