public import SyncModel

/// What the structured files of one record type need besides what the zone asks for: `[types.TYPE]` in `config.toml`.
public struct TypeRules: Hashable, Sendable {
    /// Keys that a file must have, with something in them, before it is sent.
    public var required: [String]
    /// Files that a new record gets as assets for keys that its file has not, by key; relative to the folder.
    public var defaultAssets: [String: FolderPath]

    /// Rules for one record type.
    public init(required: [String] = [], defaultAssets: [String: FolderPath] = [:]) {
        self.required = required
        self.defaultAssets = defaultAssets
    }
}

/// What becomes of a JSON file below a record type's folder that fits no structured record.
public enum UnfitFiles: String, Hashable, Sendable, CaseIterable {
    /// It is synced as a plain file.
    case file
    /// It waits until it is mended.
    case hold
}
