public import SyncModel

/// The watch on one folder: its events, and the placing of watches on its directories.
///
/// Watching makes no walk of its own. Whoever scans the folder calls ``watch(_:)`` for a directory *before* listing
/// it: a change after that makes an event, a change before that is in the listing, so none is missed. A directory
/// that is created or moved in shows as an event, and its scan places its watches.
///
/// Folders must not lie within each other: a directory belongs to the folder that scanned it last.
public final class FolderWatch: Sendable {
    /// The folder's absolute path.
    public let folder: [UInt8]
    /// The events, in order; for one consumer.
    public let events: WatchEvents

    private let watcher: FolderWatcher
    private let root: RootID

    init(folder: [UInt8], events: WatchEvents, watcher: FolderWatcher, root: RootID) {
        self.folder = folder
        self.events = events
        self.watcher = watcher
        self.root = root
    }

    deinit {
        watcher.stop(root)
    }

    /// Watches a directory (`nil`: the folder itself), from any thread, in some microseconds.
    ///
    /// Watching it again costs an `lstat`. A symbolic link is never followed at the last name.
    public func watch(_ directory: FolderPath?) -> WatchPlacement {
        watcher.place(root, directory, .path(absolute(directory)))
    }

    /// Watches a directory that is open, whatever its path leads to by now; the descriptor is only borrowed.
    public func watch(_ directory: FolderPath?, descriptor: Int32) -> WatchPlacement {
        watcher.place(root, directory, .descriptor(descriptor))
    }

    /// Watches the directory whose new files come back as ``WatchEvent/cookie(_:)``.
    ///
    /// Nothing else in the state directory makes an event. Call it again if the directory was made anew.
    public func watchCookies(in directory: FolderPath) -> WatchPlacement {
        watcher.placeCookies(root, absolute(directory))
    }

    /// Ends the watches at and below a directory: it is ignored from now on, or was found gone.
    public func forget(_ directory: FolderPath) {
        watcher.forget(root, directory)
    }

    /// How much is watched, and what is not. Costs a walk over the watched directories.
    public var coverage: WatchCoverage {
        watcher.coverage(root)
    }

    /// Ends the watches and, after what was delivered, the events.
    public func stop() {
        watcher.stop(root)
    }

    private func absolute(_ directory: FolderPath?) -> [UInt8] {
        guard let directory else { return folder }
        return folder + [UInt8(ascii: "/")] + directory.bytes
    }
}
