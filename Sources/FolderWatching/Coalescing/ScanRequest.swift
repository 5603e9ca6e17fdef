public import SyncModel

/// A part of the folder that is worth a look; what is found there, only the look tells.
public enum ScanRequest: Hashable, Sendable {
    /// One path: a file, or the lack of one.
    case entry(FolderPath)
    /// A directory and all below it (or whatever is at that path now).
    case subtree(FolderPath)
    /// The whole folder.
    case everything

    /// The path to look at; `nil` for the whole folder.
    public var path: FolderPath? {
        switch self {
        case .entry(let path), .subtree(let path): path
        case .everything: nil
        }
    }
}
