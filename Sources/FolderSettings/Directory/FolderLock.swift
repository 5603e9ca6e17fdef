import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The right to sync a folder, which one process at a time has.
///
/// It is an `flock`, so the kernel takes it back when the process ends in whatever way; the process id in the file is
/// for people. Lasts as long as this object.
public final class FolderLock: Sendable {
    private let descriptor: Int32
    private let path: FilePath
    private let folder: FilePath
    /// The file that is locked.
    private let locked: (device: dev_t, inode: ino_t)
    /// The inode of the folder.
    private let place: UInt64?

    /// Takes the lock without waiting.
    /// - Throws: ``StateError`` with the code `locked`, which names the process that has it.
    public init(of directory: StateDirectory) throws(StateError) {
        let path = directory.lockFile
        let descriptor = open(path.string, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(lastError, "open", path) }
        guard Self.takes(descriptor) else {
            let error = lastError
            let holder = Self.process(writtenIn: descriptor)
            close(descriptor)
            if error == .wouldBlock { throw .locked(by: holder, at: path) }
            throw .system(error, "lock", path)
        }
        let text = Array("\(getpid())\n".utf8)
        var own = stat()
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, text.count, 0) == text.count,
            fstat(descriptor, &own) == 0
        else {
            let error = lastError
            close(descriptor)
            throw .system(error, "write", path)
        }
        (self.descriptor, self.path, folder) = (descriptor, path, directory.folder)
        locked = (own.st_dev, own.st_ino)
        place = Self.place(of: directory.folder)
    }

    /// Whether the file that is locked was removed, or another one is in its place: the state directory is not the one any more
    /// that was opened, and somebody else may sync the folder by a new one. A folder that is moved or unmounted keeps it.
    public var isRemoved: Bool {
        // Asked many times in each cycle: one look where nothing has happened.
        guard !isInPlace else { return false }
        var (own, there) = (stat(), stat())
        guard fstat(descriptor, &own) == 0 else { return false }
        guard lstat(path.string, &there) == 0, there.st_dev == locked.device else { return own.st_nlink == 0 }
        if there.st_ino == locked.inode { return false }
        // Another directory in the folder's place is none of its business, nor is the same disk that was mounted anew.
        return Self.place(of: folder) == place || own.st_nlink == 0
    }

    /// Whether the file that is locked is where a lock of the folder is looked for.
    public var isInPlace: Bool {
        var there = stat()
        return lstat(path.string, &there) == 0 && there.st_dev == locked.device && there.st_ino == locked.inode
    }

    private static func place(of folder: FilePath) -> UInt64? {
        var status = stat()
        return stat(folder.string, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// The process that syncs a folder now, or `nil` where none does.
    ///
    /// Where the lock is free, this takes a shared one for an instant, which ``init(of:)`` waits out.
    public static func holder(of directory: StateDirectory) -> Int32? {
        let descriptor = open(directory.lockFile.string, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else {
            flock(descriptor, LOCK_UN)
            return nil
        }
        return process(writtenIn: descriptor)
    }

    /// Asks some times, so that somebody who only looks at the lock in this instant does not stop a daemon's start.
    private static func takes(_ descriptor: Int32) -> Bool {
        for _ in 0..<20 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            guard lastError == .wouldBlock else { return false }
            usleep(1000)
        }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    private static func process(writtenIn descriptor: Int32) -> Int32? {
        var text = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &text, text.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: text[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    deinit {
        // A process that is being started has a copy of the descriptor for an instant, and closing alone would leave the
        // lock to it.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
