import Glibc
import SyncModel

/// The library and the table of its watches: all that the watcher's lock protects.
struct WatcherState {
    /// Events read under one hold of the lock, so that a scan that places watches never waits long.
    private static let batch = 512
    /// After so many dead watches the library begins anew.
    private static let deadWatchLimit = 16_384

    private(set) var descriptor: Int32

    private var table = WatchTable()
    private var mailboxes: [RootID: EventMailbox] = [:]
    private var cookieDirectories: [RootID: [UInt8]] = [:]
    private var lastRoot: UInt32 = 0
    private var serial: UInt32 = 0
    private var mayHoldMore = false
    private let start = ContinuousClock.now

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    private var now: Duration { start.duration(to: .now) }

    /// How long the thread may wait for events, in milliseconds as `poll` has it.
    var wait: Int32 {
        // What is left in the library's own buffer does not make the descriptor readable.
        if mayHoldMore { return 0 }
        return table.hasDeparted ? 500 : -1
    }

    mutating func addRoot(_ mailbox: EventMailbox, stateDirectory: [UInt8]) -> RootID {
        lastRoot += 1
        let root = RootID(number: lastRoot)
        mailboxes[root] = mailbox
        table.addRoot(root, stateDirectory: stateDirectory)
        return root
    }

    mutating func removeRoot(_ root: RootID) {
        table.removeRoot(root)
        cookieDirectories[root] = nil
        removeWatches()
        mailboxes.removeValue(forKey: root)?.finish()
    }

    mutating func place(_ root: RootID, _ path: FolderPath?, _ directory: WatchedDirectory) -> WatchPlacement {
        guard table.hasRoot(root) else { return .absent }
        let found: Result<DirectoryIdentity, SystemFailure>
        switch directory {
        case .path(let bytes): found = InotifyTools.identity(at: bytes)
        case .descriptor(let number): found = InotifyTools.identity(of: number)
        }
        let identity: DirectoryIdentity
        switch found {
        case .success(let value): identity = value
        case .failure(let failure): return refuse(root, path, failure)
        }
        if let node = table.tree.node(root, path), table.tree.holds(node, identity) { return .watched }
        let name: [UInt8]
        switch directory {
        case .path(let bytes): name = bytes
        // The dot at the end leads through the link in /proc; the last component itself is never a link.
        case .descriptor(let number): name = Array("/proc/self/fd/\(number)/.".utf8)
        }
        switch InotifyTools.watch(name, serial: &serial) {
        case .success(let watch):
            table.setWatch(watch, root, path, identity, now: now)
            return .watched
        case .failure(let failure):
            return refuse(root, path, failure)
        }
    }

    mutating func placeCookies(_ root: RootID, _ directory: [UInt8]) -> WatchPlacement {
        guard table.hasRoot(root) else { return .absent }
        cookieDirectories[root] = directory
        switch InotifyTools.watch(directory, serial: &serial) {
        case .success(let watch):
            table.setCookieWatch(watch, root)
            return .watched
        case .failure(let failure):
            return WatchPlacement(failure)
        }
    }

    mutating func forget(_ root: RootID, _ path: FolderPath) {
        table.forget(root, path)
        removeWatches()
    }

    func coverage(_ root: RootID) -> WatchCoverage {
        var coverage = WatchCoverage(watched: 0, unwatched: [], limit: nil)
        table.tree.forEach(in: root) { path, state in
            switch state {
            case .unknown: break
            case .watched: coverage.watched += 1
            case .refused(let errno):
                coverage.unwatched.append(path)
                if errno == ENOSPC { coverage.limit = InotifyTools.watchLimit() }
            }
        }
        return coverage
    }

    /// Reads what is there and delivers it; `false` when inotify is lost for good.
    mutating func drain() -> Bool {
        var broken = !readEvents(atMost: Self.batch)
        if table.lostEvents {
            table.lostEvents = false
            if let alive = InotifyTools.watches(of: descriptor) { table.keepWatches(alive) } else { broken = true }
        }
        table.expireDeparted(now: now)
        removeWatches()
        if broken || table.deadWatches > Self.deadWatchLimit { broken = !beginAnew() }
        for (root, event) in table.deliveries { mailboxes[root]?.post(event) }
        table.deliveries.removeAll(keepingCapacity: true)
        if broken { for mailbox in mailboxes.values { mailbox.finish() } }
        return !broken
    }

    private mutating func readEvents(atMost limit: Int) -> Bool {
        do {
            let now = now
            for _ in 0..<limit {
                guard let event = try InotifyTools.nextEvent() else {
                    mayHoldMore = false
                    return true
                }
                table.apply(event, now: now)
            }
            mayHoldMore = true
            return true
        } catch {
            return false
        }
    }

    /// Starts the library once more; every folder is to be scanned, which places its watches again.
    private mutating func beginAnew() -> Bool {
        // Events left in the library's buffer would be taken for ones of the new instance.
        repeat {} while readEvents(atMost: 65_536) && mayHoldMore
        InotifyTools.close()
        table.removeAllWatches()
        table.lostEvents = false
        mayHoldMore = false
        guard let opened = try? InotifyTools.open() else { return false }
        descriptor = opened
        for (root, directory) in cookieDirectories { _ = placeCookies(root, directory) }
        table.deliverToAll(.overflow)
        return true
    }

    private mutating func removeWatches() {
        for watch in table.removals where !InotifyTools.remove(watch) { table.deadWatches += 1 }
        table.removals.removeAll()
    }

    private mutating func refuse(_ root: RootID, _ path: FolderPath?, _ failure: SystemFailure) -> WatchPlacement {
        let placement = WatchPlacement(failure)
        if placement != .absent { table.setRefused(root, path, errno: failure.errno) }
        return placement
    }
}

extension WatchPlacement {
    init(_ failure: SystemFailure) {
        switch failure.errno {
        case ENOENT, ENOTDIR, ELOOP: self = .absent
        case ENOSPC: self = .limitReached(limit: InotifyTools.watchLimit())
        default: self = .refused(errno: failure.errno)
        }
    }
}
