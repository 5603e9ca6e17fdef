import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// A file as it was when it was opened.
struct OpenedFile: Sendable {
    private let path: FilePath
    private let inode: ino_t?

    init(_ path: FilePath) {
        (self.path, inode) = (path, Self.inode(of: path))
    }

    /// Whether another file is in its place: what is written to the one that was opened is lost with its last user.
    var isReplaced: Bool { Self.inode(of: path).map { $0 != inode } ?? false }

    private static func inode(of path: FilePath) -> ino_t? {
        var status = stat()
        return lstat(path.string, &status) == 0 ? status.st_ino : nil
    }
}
