public import SyncModel

/// Something that happened in a watched folder: a mark that a path is worth a look, never a fact about it.
public enum WatchEvent: Hashable, Sendable {
    /// A path changed.
    case changed(PathChange)
    /// A file of this name appeared in the cookie directory: all that happened before has been delivered.
    case cookie([UInt8])
    /// Events were lost, in the kernel's queue or because this consumer lagged: look at everything.
    case overflow
    /// The folder itself was moved, removed or unmounted; no event comes until it is scanned and watched again.
    case rootGone
}

/// A change at one path.
public struct PathChange: Hashable, Sendable {
    /// What inotify saw.
    public enum Kind: Hashable, Sendable {
        case created, modified, closedAfterWrite, attributes, deleted, movedFrom, movedTo
    }

    /// The path; `nil` is the folder itself.
    public var path: FolderPath?
    /// What inotify saw.
    public var kind: Kind
    /// Whether it is, or was, a directory.
    public var isDirectory: Bool
    /// The same number on the two halves of one rename; else 0.
    public var pairing: UInt32

    /// Makes a change.
    public init(_ kind: Kind, _ path: FolderPath?, isDirectory: Bool = false, pairing: UInt32 = 0) {
        self.path = path
        self.kind = kind
        self.isDirectory = isDirectory
        self.pairing = pairing
    }
}
