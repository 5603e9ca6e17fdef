/// A file that an asset field of a structured record names: part of that record, no record of its own.
public struct Attachment: Hashable, Sendable {
    /// The name of the field.
    public var field: String
    /// The place in a field that is a list; `nil` where the field is one asset.
    public var index: Int?
    public var path: FolderPath

    /// The file at a path, as named by a field.
    public init(field: String, index: Int? = nil, path: FolderPath) {
        self.field = field
        self.index = index
        self.path = path
    }
}
