import SyncModel

/// One watched folder among those of the process.
struct RootID: Hashable, Sendable {
    var number: UInt32
}

/// What every watch means, and so what every event says; touches no file.
///
/// Its names may be wrong for a moment, when directories move faster than their events are read. That heals: each
/// event that leads it astray also requests a look at that path, and a look begins by saying which directory is
/// there (``setWatch(_:_:_:_:now:)``), before it lists it.
struct WatchTable {
    /// A subtree that was moved away, and whose arrival has not been seen.
    private struct Departed {
        var node: WatchTree.NodeID
        var pairing: UInt32
        var since: Duration
        /// Where something else arrived in its place: the first half of an exchange.
        var displacedFrom: (parent: WatchTree.NodeID, name: [UInt8])?
    }

    private struct Root {
        var stateDirectory: [UInt8]
    }

    /// How long the second half of a move may take; both are written by one system call.
    static let patience = Duration.milliseconds(500)

    private(set) var tree = WatchTree()
    private var roots: [RootID: Root] = [:]
    private var cookieWatches: [Int32: RootID] = [:]
    private var departed: [Departed] = []

    /// Watches that the kernel dropped, and that the library cannot forget.
    var deadWatches = 0
    /// What is to be delivered, in order.
    var deliveries: [(root: RootID, event: WatchEvent)] = []
    /// Watches that are to be taken away.
    var removals: [Int32] = []
    /// Events were lost: some watches may be gone unseen.
    var lostEvents = false

    var hasDeparted: Bool { !departed.isEmpty }

    mutating func addRoot(_ root: RootID, stateDirectory: [UInt8]) {
        roots[root] = Root(stateDirectory: stateDirectory)
        tree.addRoot(root)
    }

    mutating func removeRoot(_ root: RootID) {
        roots[root] = nil
        removals += tree.removeRoot(root)
        for (watch, owner) in cookieWatches where owner == root {
            cookieWatches[watch] = nil
            removals.append(watch)
        }
    }

    func hasRoot(_ root: RootID) -> Bool { roots[root] != nil }

    mutating func setWatch(
        _ watch: Int32, _ root: RootID, _ path: FolderPath?, _ identity: DirectoryIdentity, now: Duration
    ) {
        // The library has two names for a watch that was known already, and can forget one of them only.
        if tree.node(watch: watch) != nil { deadWatches += 1 }
        if let displaced = tree.setWatch(watch, root, path, identity) {
            departed.append(Departed(node: displaced, pairing: 0, since: now))
        }
    }

    mutating func setRefused(_ root: RootID, _ path: FolderPath?, errno: Int32) {
        tree.setRefused(root, path, errno: errno)
    }

    mutating func setCookieWatch(_ watch: Int32, _ root: RootID) {
        if cookieWatches.updateValue(root, forKey: watch) != nil { deadWatches += 1 }
    }

    mutating func forget(_ root: RootID, _ path: FolderPath) {
        if let node = tree.node(root, path) { removals += tree.removeSubtree(node) }
    }

    /// Gives up all watches: the library begins anew.
    mutating func removeAllWatches() {
        tree = WatchTree()
        for root in roots.keys { tree.addRoot(root) }
        cookieWatches = [:]
        departed = []
        removals = []
        deadWatches = 0
    }

    /// Keeps only the watches that the kernel still has.
    mutating func keepWatches(_ alive: Set<Int32>) {
        let dead = tree.watches.filter { !alive.contains($0) }
        for watch in dead { tree.clearWatch(watch) }
        cookieWatches = cookieWatches.filter { alive.contains($0.key) }
        deadWatches += dead.count
    }

    /// Gives up the subtrees that were moved away and arrived nowhere.
    mutating func expireDeparted(now: Duration) {
        departed.removeAll { entry in
            guard tree.isDetached(entry.node) else { return true }
            guard entry.since + Self.patience <= now else { return false }
            removals += tree.removeSubtree(entry.node)
            return true
        }
    }

    mutating func deliverToAll(_ event: WatchEvent) {
        for root in roots.keys { deliveries.append((root, event)) }
    }

    mutating func apply(_ event: RawEvent, now: Duration) {
        if event.mask.contains(.overflow) {
            lostEvents = true
            return deliverToAll(.overflow)
        }
        if let root = cookieWatches[event.watch] { return applyToCookies(event, root) }
        guard let node = tree.node(watch: event.watch) else { return }
        if event.name.isEmpty {
            applyToDirectory(event, node)
        } else {
            applyToName(event, in: node, now: now)
        }
    }
}

extension WatchTable {
    private mutating func applyToCookies(_ event: RawEvent, _ root: RootID) {
        if event.mask.contains(.ignored) {
            cookieWatches[event.watch] = nil
            deadWatches += 1
        } else if !event.name.isEmpty, !event.mask.isDisjoint(with: [.create, .movedTo]) {
            deliveries.append((root, .cookie(event.name)))
        }
    }

    /// An event of the watched directory itself.
    private mutating func applyToDirectory(_ event: RawEvent, _ node: WatchTree.NodeID) {
        let place = tree.place(of: node)
        if event.mask.contains(.ignored) {
            let wasRoot = tree.isRoot(node)
            tree.clearWatch(event.watch)
            deadWatches += 1
            guard let place else { return }
            if wasRoot {
                rootGone(place.root)
            } else {
                // Its parent tells the same, unless it was itself out of sight when this happened.
                deliveries.append((place.root, .changed(PathChange(.deleted, place.path, isDirectory: true))))
            }
        } else if tree.isRoot(node), let place {
            if event.mask.contains(.moveSelf) {
                rootGone(place.root)
            } else if event.mask.contains(.attributes) {
                deliveries.append((place.root, .changed(PathChange(.attributes, nil, isDirectory: true))))
            }
        }
    }

    private mutating func rootGone(_ root: RootID) {
        removals += tree.removeRoot(root)
        tree.addRoot(root)
        deliveries.append((root, .rootGone))
    }

    private mutating func applyToName(_ event: RawEvent, in node: WatchTree.NodeID, now: Duration) {
        guard let kind = event.mask.kind else { return }
        let isDirectory = event.mask.contains(.isDirectory)
        let place = tree.place(of: node, name: event.name)
        if tree.isRoot(node), let place, roots[place.root]?.stateDirectory == event.name {
            // Nothing of it is told, but that it left: the watch of its cookies lasts as long as their directory is open.
            if kind == .deleted || kind == .movedFrom {
                deliveries.append((place.root, .changed(PathChange(.attributes, nil, isDirectory: true))))
            }
            return
        }
        if isDirectory, kind == .movedFrom { depart(event, from: node, now: now) }
        if isDirectory, kind == .movedTo { arrive(event, in: node, now: now) }
        guard let place, let path = place.path else { return }
        let change = PathChange(kind, path, isDirectory: isDirectory, pairing: event.pairing)
        deliveries.append((place.root, .changed(change)))
    }

    private mutating func depart(_ event: RawEvent, from parent: WatchTree.NodeID, now: Duration) {
        let displaced = departed.lastIndex { entry in
            entry.displacedFrom.map { $0.parent == parent && $0.name == event.name } ?? false
        }
        if let displaced {
            departed[displaced].pairing = event.pairing
            departed[displaced].displacedFrom = nil
        } else if let child = tree.child(of: parent, named: event.name) {
            tree.detach(child)
            departed.append(Departed(node: child, pairing: event.pairing, since: now))
        }
    }

    private mutating func arrive(_ event: RawEvent, in parent: WatchTree.NodeID, now: Duration) {
        if let child = tree.child(of: parent, named: event.name) {
            tree.detach(child)
            let place = (parent: parent, name: event.name)
            departed.append(Departed(node: child, pairing: 0, since: now, displacedFrom: place))
        }
        guard let index = departed.firstIndex(where: { $0.pairing == event.pairing && $0.pairing != 0 }) else { return }
        let entry = departed.remove(at: index)
        // A loop can come only of names that were wrong already; the look at this path sets them right.
        guard tree.isDetached(entry.node), !tree.contains(entry.node, parent) else {
            if tree.isDetached(entry.node) { departed.append(entry) }
            return
        }
        tree.attach(entry.node, to: parent, named: event.name)
    }
}
