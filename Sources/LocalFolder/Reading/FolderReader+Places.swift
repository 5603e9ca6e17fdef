public import SyncModel
import SystemPackage

/// What stands at a path of the folder.
public enum PlaceContent: Hashable, Sendable {
    case file
    case directory
    /// Nothing, or nothing that can be seen.
    case absent
    /// Something that is never synced: there, or in the place of a directory above.
    case skipped(SkippedPath)
}

extension FolderReader {
    /// Looks at a path, itself and from the root down, and follows no symbolic link.
    public func content(at path: FolderPath) -> PlaceContent {
        for place in path.ancestors.reversed() + [path] {
            guard let status = try? root.openParent(of: place).status(of: place.terminatedName) else { return .absent }
            if let reason = status.kind.skipReason { return .skipped(SkippedPath(path: place, reason: reason)) }
            if place == path { return status.kind == .directory ? .directory : .file }
            if status.kind != .directory { return .absent }
        }
        return .absent
    }
}

extension EntryKind {
    /// Why such a thing is never synced; `nil` for files and directories.
    var skipReason: SkippedPath.Reason? {
        switch self {
        case .file, .directory: nil
        case .symlink: .symlink
        case .fifo: .fifo
        case .socket: .socket
        case .device, .unknown: .device
        }
    }
}
