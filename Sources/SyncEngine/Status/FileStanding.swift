import LocalFolder
import SyncModel
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// What can be told of one path without asking the zone.
public enum FileStanding: Hashable, Sendable {
    case present
    /// Nothing is there.
    case absent
    /// A rule leaves it out: the rule, or the reason of a built-in one.
    case ignored(by: String)

    /// Looks at a path of a synced folder.
    /// - Throws: `FolderError` where the folder or its rules cannot be read.
    public init(of path: String, in folder: FilePath) throws {
        let root = try FolderRoot(opening: folder)
        guard let place = FolderPath(path) else {
            self = .absent
            return
        }
        let full = folder.string + "/" + path
        let directory = opendir(full)
        if let directory { closedir(directory) }
        if let rule = try IgnoreRules.read(from: root).rule(ignoring: place, isDirectory: directory != nil) {
            self = .ignored(by: rule.reason ?? rule.text)
        } else {
            self = faccessat(AT_FDCWD, full, F_OK, AT_SYMLINK_NOFOLLOW) == 0 ? .present : .absent
        }
    }
}
