public import SyncModel

/// What became of a request to watch a directory.
public enum WatchPlacement: Hashable, Sendable {
    /// Every change from now on makes an event; list the directory now.
    case watched
    /// There is no directory at that path (any more), or the watch was stopped.
    case absent
    /// This user's watches are used up; the limit as `fs.inotify.max_user_watches` has it. Scan it periodically.
    case limitReached(limit: Int?)
    /// The kernel refused, with this `errno` (13 is no permission, 12 no memory). Scan it periodically.
    case refused(errno: Int32)
}

/// How much of a folder is watched.
public struct WatchCoverage: Hashable, Sendable {
    /// Directories that are watched.
    public var watched: Int
    /// Directories that should be and are not, each to be scanned periodically; `nil` is the folder itself.
    public var unwatched: [FolderPath?]
    /// The limit of watches, where one of the directories met it.
    public var limit: Int?

    /// Whether there is no inotify at all: other programs hold all instances of it. It is asked for again each second.
    public var lacksInotify = false

    /// The command that mends a reached limit, or `nil` while none is reached.
    public var remedy: String? {
        if lacksInotify { return "sysctl fs.inotify.max_user_instances=1024" }
        return limit.map { "sysctl fs.inotify.max_user_watches=\(max(524_288, $0 * 2))" }
    }
}
