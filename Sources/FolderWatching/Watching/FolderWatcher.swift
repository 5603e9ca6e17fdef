import Glibc
import SyncModel
import Synchronization

/// Owns libinotifytools, of which a process has one, on a thread of its own, for all folders.
///
/// The thread waits on the inotify descriptor outside the library and outside the lock, so that watches can be
/// placed from any other thread meanwhile. While nothing happens it does not wake.
public final class FolderWatcher: Sendable {
    private static let instance = Mutex<FolderWatcher?>(nil)

    private let state: Mutex<WatcherState>

    /// The watcher of this process, started at the first call.
    ///
    /// Call it early: libinotifytools needs a descriptor below 1,024.
    /// - Throws: ``WatchError`` when there is no inotify to be had; it may be tried again.
    public static func shared() throws(WatchError) -> FolderWatcher {
        try instance.withLock { instance throws(WatchError) in
            if let instance { return instance }
            let made = FolderWatcher(WatcherState(descriptor: try InotifyTools.open()))
            instance = made
            made.startThread()
            return made
        }
    }

    private init(_ state: consuming sending WatcherState) {
        self.state = Mutex(state)
    }

    /// Begins to watch a folder; nothing is watched until its directories are (``FolderWatch/watch(_:)``).
    ///
    /// - Parameters:
    ///   - path: The absolute path, with no slash at its end.
    ///   - stateDirectory: The name in the folder's root whose changes make no events.
    ///   - receive: Called with events, in order.
    public func begin(
        folder path: [UInt8], stateDirectory: String = ".zonefolder", receive: @escaping EventReceiver
    ) -> FolderWatch {
        precondition(path.first == UInt8(ascii: "/"), "a watched folder has an absolute path")
        let root = state.withLock { $0.addRoot(stateDirectory: Array(stateDirectory.utf8), receive) }
        return FolderWatch(folder: path, watcher: self, root: root)
    }

    func place(_ root: RootID, _ path: FolderPath?, _ directory: WatchedDirectory) -> WatchPlacement {
        state.withLock { $0.place(root, path, directory) }
    }

    func placeCookies(_ root: RootID, _ directory: [UInt8]) -> WatchPlacement {
        state.withLock { $0.placeCookies(root, directory) }
    }

    func forget(_ root: RootID, _ paths: [FolderPath]) {
        state.withLock { $0.forget(root, paths) }
    }

    func directories(_ root: RootID) -> [FolderPath] {
        state.withLock { $0.directories(root) }
    }

    func coverage(_ root: RootID) -> WatchCoverage {
        state.withLock { $0.coverage(root) }
    }

    func stop(_ root: RootID) {
        state.withLock { $0.removeRoot(root) }
    }

    /// Runs a body while no event is read, so that a test can fill the kernel's queue.
    package func whilePaused<Value: Sendable>(_ body: () throws -> Value) rethrows -> Value {
        try state.withLock { _ in try body() }
    }

    private func startThread() {
        var thread = pthread_t()
        // The thread lives as long as the process, as the shared watcher does.
        let watcher = Unmanaged.passRetained(self).toOpaque()
        let result = pthread_create(
            &thread, nil,
            { watcher in
                Unmanaged<FolderWatcher>.fromOpaque(watcher!).takeRetainedValue().run()
                return nil
            }, watcher)
        precondition(result == 0, "a thread can be made")
        pthread_detach(thread)
    }

    private func run() {
        while true {
            let (descriptor, wait) = state.withLock { ($0.descriptor, $0.wait) }
            // A number below zero is no descriptor: then it is only waited.
            var request = pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0)
            if wait != 0 { _ = poll(&request, 1, wait) }
            // Without the lock: who is told may place watches at once.
            for delivery in state.withLock({ $0.drain() }) { delivery.receive(delivery.events) }
        }
    }
}

/// Takes in events of one folder, in batches that are never empty, on the watcher's thread: it must not wait.
///
/// A few of them may still come after the watch was stopped.
public typealias EventReceiver = @Sendable ([WatchEvent]) -> Void

/// How a directory is named to the kernel.
enum WatchedDirectory {
    case path([UInt8])
    case descriptor(Int32)
}
