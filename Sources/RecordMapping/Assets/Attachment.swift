public import CloudKitWire
public import SyncModel

/// A field of a structured record, or one element of a list, that holds an asset.
public struct AssetSlot: Hashable, Sendable {
    /// The field's name.
    public var field: String
    /// In a list.
    public var index: Int?

    /// A field, or one element of a list.
    public init(field: String, index: Int? = nil) {
        self.field = field
        self.index = index
    }

    /// The field's name, with a full stop and the index where it is a list: no field's name has a full stop in it.
    var text: String { index.map { "\(field).\($0)" } ?? field }

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let index = parts.count == 2 ? Int(parts[1]) : nil
        guard parts.count == 1 || index != nil else { return nil }
        self.init(field: String(parts[0]), index: index)
    }
}

/// A file that a structured file names as the content of one of its fields.
public struct Attachment: Hashable, Sendable {
    /// Where in the record.
    public var slot: AssetSlot
    /// Where in the folder.
    public var path: FolderPath

    /// A file in a field.
    public init(slot: AssetSlot, path: FolderPath) {
        self.slot = slot
        self.path = path
    }
}

/// An asset of a fetched record, and where it belongs if that is said.
public struct AttachedAsset: Hashable, Sendable {
    /// Where in the record.
    public var slot: AssetSlot
    /// As the answer described it.
    public var asset: Asset
    /// By the author's own text. `nil` where there is none: then `AssetNaming` names it by its first bytes.
    public var path: FolderPath?
}
