import FolderSettings
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A daemon whose folder is gone from where it was: moved away, or on a disk that was unmounted under it.
///
/// Neither its lock nor its control socket is in reach by the folder's path, so it is known by its arguments. Left alone it would
/// go on as soon as the folder is back.
struct LeftDaemon {
    let folder: FilePath
    let process: pid_t
    /// That of systemd whose process it is.
    let unit: FolderUnit?
    /// For the other folders that it syncs, and that are there.
    let others: BackgroundDaemon

    /// Looks among the processes of this user; `nil` where none is told to sync the folder.
    init?(of folder: FilePath) async {
        guard let process = Self.processes().first(where: { Self.folders(of: $0).contains(folder) }) else { return nil }
        let others = Self.folders(of: process).compactMap { StateDirectory.folder(holding: $0) }.filter { $0 != folder }
        (self.folder, self.process) = (folder, process)
        self.others = BackgroundDaemon(for: others.compactMap { try? StateDirectory.open(in: $0) })
        unit = await FolderUnit.running(process, for: folder)
    }

    /// Stops it, and waits for its end.
    /// - Parameter isForGood: Whether systemd is to start it at no login any more.
    func stop(within limit: Duration = .seconds(60), isForGood: Bool) async throws {
        let deadline = ContinuousClock.now + limit
        if let unit {
            if isForGood { try await unit.disable() } else { try await unit.stop() }
        } else if kill(process, SIGTERM) != 0, errno != ESRCH {
            throw CommandFailure.system(Errno(rawValue: errno), "stop", FilePath("process \(process)"))
        }
        while Self.isAlive(process) {
            guard ContinuousClock.now < deadline else {
                throw CommandFailure.tookTooLong(
                    "The end of process \(process)", seconds: Int(limit.components.seconds))
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// The running programs of this name, of this user.
    private static func processes() -> [pid_t] {
        guard let own = name(of: getpid()), let list = opendir("/proc") else { return [] }
        defer { closedir(list) }
        var found: [pid_t] = []
        while let entry = readdir(list) {
            let text = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let process = pid_t(text), process != getpid() else { continue }
            var status = stat()
            guard stat("/proc/\(text)", &status) == 0, status.st_uid == getuid(), name(of: process) == own else {
                continue
            }
            found.append(process)
        }
        return found
    }

    /// The name of a process's program, also of one that was replaced on the disk since.
    private static func name(of process: pid_t) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes {
            readlink("/proc/\(process)/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count], as: UTF8.self)
        return FilePath(path.hasSuffix(" (deleted)") ? String(path.dropLast(10)) : path).lastComponent?.string
    }

    /// What a process was told to sync, whether it is there or not; none where the process is no `zonefolder run`.
    private static func folders(of process: pid_t) -> [FilePath] {
        BackgroundDaemon.named(by: process).flatMap { path -> [FilePath] in
            var lexical = path
            lexical.lexicallyNormalize()
            return [lexical, AbsolutePath.resolved(lexical)]
        }
    }

    /// Whether a process has not ended yet: one that has, and that nobody has asked after, has no arguments.
    private static func isAlive(_ process: pid_t) -> Bool {
        (try? PlainFiles.read(FilePath("/proc/\(process)/cmdline")))?.isEmpty == false
    }
}
