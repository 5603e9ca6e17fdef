public import SyncModel

/// One record, seen from all three sides: everything that the decision about it needs.
public struct RecordView: Hashable, Sendable {
    /// What the folder has of the record.
    public enum Local: Hashable, Sendable {
        /// No file, and the folder was looked at.
        case absent
        /// Not known: ignored, unreadable, or not looked at. Never taken for absence.
        case unobserved
        /// A file that cannot be synced as it is.
        case held
        /// A file, where it is, and whether it differs from what both sides agreed on.
        case present(path: FolderPath, version: LocalVersion, isEdited: Bool)
    }

    /// What the zone has of the record.
    public struct Remote: Hashable, Sendable {
        public var path: FolderPath
        public var changeTag: String

        /// A live record, where it is shown, and its tag.
        public init(path: FolderPath, changeTag: String) {
            self.path = path
            self.changeTag = changeTag
        }
    }

    /// What both sides last agreed on.
    public struct Base: Hashable, Sendable {
        public var path: FolderPath
        public var changeTag: String
        /// Whether the folder has that only in part, and is to receive it once more.
        public var isPartial: Bool

        /// The agreed path and tag.
        public init(path: FolderPath, changeTag: String, isPartial: Bool = false) {
            self.path = path
            self.changeTag = changeTag
            self.isPartial = isPartial
        }
    }

    public var base: Base?
    public var local: Local
    public var remote: Remote?

    /// One record from all three sides.
    public init(base: Base?, local: Local, remote: Remote?) {
        self.base = base
        self.local = local
        self.remote = remote
    }
}
