public import SyncModel

/// The watch on one folder: the placing of watches on its directories.
///
/// Watching makes no walk of its own. Whoever scans the folder calls ``watch(_:)`` for a directory *before* listing
/// it: a change after that makes an event, a change before that is in the listing, so none is missed. A directory
/// that is created or moved in shows as an event, and its scan places its watches.
///
/// Folders must not lie within each other: a directory belongs to the folder that scanned it last.
public final class FolderWatch: Sendable {
    /// The folder's absolute path.
    public let folder: [UInt8]

    private let watcher: FolderWatcher
    private let root: RootID

    init(folder: [UInt8], watcher: FolderWatcher, root: RootID) {
        self.folder = folder
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

    /// Ends the watches of directories, and what could not be watched of them is no longer missed. Costs a walk over all.
    public func forget(where isLeftOut: (FolderPath) -> Bool) {
        watcher.forget(root, watcher.directories(root).filter(isLeftOut))
    }

    /// How much is watched, and what is not. Costs a walk over the watched directories, and an `lstat` for each other one.
    public var coverage: WatchCoverage {
        let coverage = watcher.coverage(root)
        // Nobody tells that a directory is gone which could not be watched.
        let gone = coverage.unwatched.compactMap { $0 }.filter { InotifyTools.isAbsent(absolute($0)) }
        guard !gone.isEmpty else { return coverage }
        watcher.forget(root, gone)
        return watcher.coverage(root)
    }

    /// Ends the watches.
    public func stop() {
        watcher.stop(root)
    }

    private func absolute(_ directory: FolderPath?) -> [UInt8] {
        guard let directory else { return folder }
        return folder + [UInt8(ascii: "/")] + directory.bytes
    }
}
