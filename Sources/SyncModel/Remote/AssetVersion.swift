/// The content of one asset field of a record, as the server names it.
public struct AssetVersion: Hashable, Sendable {
    /// The name of the field.
    public var field: String
    /// The place in a field that is a list; `nil` where the field is one asset.
    public var index: Int?
    /// The server's own checksum: equal for equal bytes, and nothing else is known of it.
    public var checksum: String
    /// In bytes.
    public var size: Int64

    /// The asset of a field, with the server's checksum and its size in bytes.
    public init(field: String, index: Int? = nil, checksum: String, size: Int64) {
        self.field = field
        self.index = index
        self.checksum = checksum
        self.size = size
    }
}
