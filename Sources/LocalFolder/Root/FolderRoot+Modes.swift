public import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// Disks that keep no permissions of files, such as FAT, exFAT, NTFS by FUSE and most shares: each file is told with the same, and
/// mostly as one that everybody may execute. Taken for a person's word that would be an edit of every file.
extension FolderRoot {
    /// Opens a folder that has a state directory, and tries in there whether the disk keeps who may execute a file.
    public convenience init(openingToSync path: FilePath) throws(FolderError) {
        try self.init(opening: path, on: LinuxDisk(keepsModes: Self.keepsModes(under: path)))
    }

    /// Whether the disk of a folder that has a state directory keeps who may execute a file; tried with a file in there that
    /// is gone afterwards.
    package static func keepsModes(under path: FilePath) -> Bool {
        let state = path.appending(stateName)
        // What a crash leaves in staging goes at the next start; a new folder has none yet.
        let place = access(state.appending("staging").string, F_OK) == 0 ? state.appending("staging") : state
        let name = "modes-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        return keepsModes(tryingWith: place.appending(name))
    }

    /// Where that cannot be tried, it is taken to do so.
    private static func keepsModes(tryingWith path: FilePath) -> Bool {
        let file = Glibc.open(path.string, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return true }
        defer {
            Glibc.close(file)
            unlink(path.string)
        }
        return [0o700, 0o600].allSatisfy { (mode: mode_t) in
            var status = stat()
            return fchmod(file, mode) == 0 && fstat(file, &status) == 0 && status.st_mode & 0o100 == mode & 0o100
        }
    }
}
