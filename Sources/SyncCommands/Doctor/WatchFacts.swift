import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// What inotify allows, and what the folder needs.
struct WatchFacts: Hashable, Sendable {
    /// Directories of the folder that no rule leaves out; `nil` where they could not be counted.
    var directories: Int?
    /// Those of them that the daemon could not watch; `nil` where none runs.
    var unwatched: Int?
    /// Of this user, all programs together; `nil` where the kernel does not tell.
    var maximumWatches: Int?
    var maximumInstances: Int?
    var maximumQueuedEvents: Int?
    /// Whether one more program of this user can watch anything.
    var canOpenInstance = true

    /// The kernel's own number: with fewer events in line, more of them are lost.
    private static let usualQueue = 16_384

    var findings: [Finding] {
        var findings: [Finding] = []
        if !canOpenInstance {
            let limit = maximumInstances.map { " (fs.inotify.max_user_instances is \($0))" } ?? ""
            findings.append(
                Finding(
                    .watches, .problem, "No more programs of this user can watch files\(limit).",
                    remedy: Self.sysctl("max_user_instances", max(1024, (maximumInstances ?? 0) * 2))))
        }
        if let unwatched, unwatched > 0 {
            findings.append(
                Finding(
                    .watches, .degraded,
                    "\(Amounts.count(unwatched, "directory is", "directories are")) not watched, and looked at from time "
                        + "to time instead.", remedy: watchesRemedy))
        } else if let directories, let maximumWatches, directories > maximumWatches / 2 {
            findings.append(
                Finding(
                    .watches, directories > maximumWatches ? .problem : .degraded,
                    "The folder has \(Amounts.count(directories, "directory", "directories")) to watch, and all programs "
                        + "of this user may watch \(maximumWatches) together.", remedy: watchesRemedy))
        }
        if let maximumQueuedEvents, maximumQueuedEvents < Self.usualQueue {
            findings.append(
                Finding(
                    .watches, .degraded,
                    "The kernel keeps \(maximumQueuedEvents) events in line; after more at once the whole folder is "
                        + "looked at.", remedy: Self.sysctl("max_queued_events", Self.usualQueue)))
        }
        guard findings.isEmpty else { return findings }
        guard let directories else {
            return [Finding(.watches, .degraded, "The folder's directories could not be counted.")]
        }
        let limit = maximumWatches.map { " of \($0)" } ?? ""
        return [Finding(.watches, .ok, "\(Amounts.count(directories, "watch", "watches"))\(limit) needed.")]
    }

    private var watchesRemedy: String {
        Self.sysctl("max_user_watches", max(524_288, (maximumWatches ?? 0) * 2))
    }

    private static func sysctl(_ name: String, _ value: Int) -> String {
        "sudo sysctl fs.inotify.\(name)=\(value); to keep it, put fs.inotify.\(name) = \(value) into a file in "
            + "/etc/sysctl.d"
    }
}

extension WatchFacts {
    /// Reads what the kernel tells.
    /// - Parameters:
    ///   - directories: Of the folder.
    ///   - unwatched: As the daemon says; an instance is opened for a moment where none runs.
    init(directories: Int?, unwatched: Int?) {
        self.directories = directories
        self.unwatched = unwatched
        maximumWatches = Self.limit("max_user_watches")
        maximumInstances = Self.limit("max_user_instances")
        maximumQueuedEvents = Self.limit("max_queued_events")
        guard unwatched == nil else { return }
        let descriptor = inotify_init1(Int32(O_CLOEXEC))
        canOpenInstance = descriptor >= 0
        if descriptor >= 0 { close(descriptor) }
    }

    private static func limit(_ name: String) -> Int? {
        guard let bytes = try? PlainFiles.read(FilePath("/proc/sys/fs/inotify/\(name)")) else { return nil }
        return Int(String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self))
    }
}
