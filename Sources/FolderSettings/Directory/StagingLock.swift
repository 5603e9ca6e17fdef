import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Who has something in a folder's staging directory, besides the daemon.
///
/// A daemon that starts clears what a crash left in staging. What a command that restores a file or settles a conflict has
/// there in that moment looks the same, and may be on its way into the history. An `flock` on the directory, so that the
/// kernel ends it with the process. Lasts as long as this object.
public final class StagingLock: Sendable {
    private let descriptor: Int32

    /// Takes part with other commands; waits while a daemon clears staging.
    /// - Throws: ``StateError`` where the directory cannot be opened or locked.
    public convenience init(sharedIn directory: StateDirectory) throws(StateError) {
        try self.init(directory, LOCK_SH)!
    }

    /// The right to clear staging; `nil` where a command has something there: what a crash left stays for the next time.
    /// - Throws: ``StateError`` where the directory cannot be opened or locked.
    public static func forClearing(_ directory: StateDirectory) throws(StateError) -> StagingLock? {
        try StagingLock(directory, LOCK_EX | LOCK_NB)
    }

    private init?(_ directory: StateDirectory, _ operation: Int32) throws(StateError) {
        let path = directory.staging
        descriptor = open(path.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .system(lastError, "open", path) }
        while flock(descriptor, operation) != 0 {
            let error = lastError
            if error == .interrupted { continue }
            // Closed by `deinit`, which runs as all is initialized.
            if error == .wouldBlock { return nil }
            throw .system(error, "lock", path)
        }
    }

    deinit {
        guard descriptor >= 0 else { return }
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
