import Glibc
import SyncModel

/// The library and the table of its watches: all that the watcher's lock protects.
struct WatcherState {
    /// Events read under one hold of the lock, so that a scan that places watches never waits long.
    private static let batch = 512
    /// After so many dead watches the library begins anew.
    private static let deadWatchLimit = 16_384
    /// How long it is waited, in milliseconds, before inotify is asked for again where there was none to be had.
    private static let pauseBetweenOpenings: Int32 = 1000

    /// Of inotify; `nil` while there is none to be had.
    private(set) var descriptor: Int32?

    private var table = WatchTable()
    private var receivers: [RootID: EventReceiver] = [:]
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
        if descriptor == nil { return Self.pauseBetweenOpenings }
        // What is left in the library's own buffer does not make the descriptor readable.
        if mayHoldMore { return 0 }
        return table.hasDeparted ? 500 : -1
    }

    mutating func addRoot(stateDirectory: [UInt8], _ receiver: @escaping EventReceiver) -> RootID {
        lastRoot += 1
        let root = RootID(number: lastRoot)
        receivers[root] = receiver
        table.addRoot(root, stateDirectory: stateDirectory)
        return root
    }

    mutating func removeRoot(_ root: RootID) {
        table.removeRoot(root)
        cookieDirectories[root] = nil
        removeWatches()
        receivers[root] = nil
    }

    mutating func place(_ root: RootID, _ path: FolderPath?, _ directory: WatchedDirectory) -> WatchPlacement {
        guard table.hasRoot(root) else { return .absent }
        guard descriptor != nil else { return refuse(root, path, .noInotify) }
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
        guard descriptor != nil else { return WatchPlacement(.noInotify) }
        switch InotifyTools.watch(directory, serial: &serial) {
        case .success(let watch):
            table.setCookieWatch(watch, root)
            return .watched
        case .failure(let failure):
            return WatchPlacement(failure)
        }
    }

    /// Ends the watches at and below some directories.
    mutating func forget(_ root: RootID, _ paths: [FolderPath]) {
        for path in paths { table.forget(root, path) }
        removeWatches()
    }

    /// All that are watched, or should be, but for the folder itself.
    func directories(_ root: RootID) -> [FolderPath] {
        var found: [FolderPath] = []
        table.tree.forEach(in: root) { path, state in
            if let path, state != .unknown { found.append(path) }
        }
        return found
    }

    func coverage(_ root: RootID) -> WatchCoverage {
        var coverage = WatchCoverage(watched: 0, unwatched: [], limit: nil, lacksInotify: descriptor == nil)
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

    /// Reads what is there, and gives it to be delivered.
    mutating func drain() -> [Delivery] {
        if let descriptor {
            var isBroken = !readEvents(atMost: Self.batch)
            if table.lostEvents {
                table.lostEvents = false
                let alive = InotifyTools.watches(of: descriptor)
                if let alive { table.keepWatches(alive) } else { isBroken = true }
            }
            table.expireDeparted(now: now)
            removeWatches()
            if isBroken || table.deadWatches > Self.deadWatchLimit {
                end()
                begin()
            }
        } else {
            begin()
        }
        return takeDeliveries()
    }

    private mutating func takeDeliveries() -> [Delivery] {
        var batches: [RootID: [WatchEvent]] = [:]
        for (root, event) in table.deliveries { batches[root, default: []].append(event) }
        table.deliveries.removeAll(keepingCapacity: true)
        return batches.compactMap { root, events in receivers[root].map { Delivery(receive: $0, events: events) } }
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

    /// Ends the library. Every folder is to be scanned: what cannot be watched meanwhile is found to be so.
    private mutating func end() {
        // Events left in the library's buffer would be taken for ones of the new instance.
        repeat {} while readEvents(atMost: 65_536) && mayHoldMore
        InotifyTools.close()
        descriptor = nil
        table.removeAllWatches()
        table.lostEvents = false
        mayHoldMore = false
        table.deliverToAll(.overflow)
    }

    /// Starts the library once more, if it can be. Every folder is to be scanned, which places its watches again.
    private mutating func begin() {
        guard let opened = try? InotifyTools.open() else { return }
        descriptor = opened
        // What could not be watched meanwhile may be gone by now.
        table.removeAllWatches()
        for (root, directory) in cookieDirectories { _ = placeCookies(root, directory) }
        table.deliverToAll(.overflow)
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

/// What is to be told about one folder.
struct Delivery {
    var receive: EventReceiver
    var events: [WatchEvent]
}

extension SystemFailure {
    /// There is no inotify at present: others hold all of it, or all descriptors.
    fileprivate static let noInotify = SystemFailure(errno: EMFILE)
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
