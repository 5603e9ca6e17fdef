import SyncModel

/// The directories of all folders by name, and the watch of each.
///
/// A directory knows its parent and its own name only, so a move of a whole subtree costs one step.
struct WatchTree {
    typealias NodeID = Int32

    enum State: Hashable {
        case unknown
        case watched(Int32)
        case refused(errno: Int32)
    }

    /// Bytes of one name, hashed in one go.
    private struct Name: Hashable {
        var bytes: ArraySlice<UInt8>

        func hash(into hasher: inout Hasher) {
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    private struct Node {
        var parent: NodeID?
        var root: RootID?
        var name: Name
        var state = State.unknown
        var identity: DirectoryIdentity?
        var children: [Name: NodeID] = [:]
    }

    private var nodes: [Node?] = []
    private var free: [NodeID] = []
    private var roots: [RootID: NodeID] = [:]
    private var byWatch: [Int32: NodeID] = [:]

    var watches: Dictionary<Int32, NodeID>.Keys { byWatch.keys }

    mutating func addRoot(_ root: RootID) {
        roots[root] = insert(Node(parent: nil, root: root, name: Name(bytes: [])))
    }

    /// Forgets a root and gives the watches of its directories.
    mutating func removeRoot(_ root: RootID) -> [Int32] {
        guard let node = roots.removeValue(forKey: root) else { return [] }
        return removeSubtree(node)
    }

    func node(_ root: RootID, _ path: FolderPath?) -> NodeID? {
        guard var node = roots[root] else { return nil }
        for name in path?.names ?? [] {
            guard let child = self[node].children[Name(bytes: name)] else { return nil }
            node = child
        }
        return node
    }

    func node(watch: Int32) -> NodeID? { byWatch[watch] }
    func child(of node: NodeID, named name: [UInt8]) -> NodeID? { self[node].children[Name(bytes: name[...])] }
    func isRoot(_ node: NodeID) -> Bool { self[node].root != nil }
    func state(of node: NodeID) -> State { self[node].state }

    /// Whether the node is watched, and as this very directory.
    func holds(_ node: NodeID, _ identity: DirectoryIdentity) -> Bool {
        guard case .watched = self[node].state else { return false }
        return self[node].identity == identity
    }

    /// The folder and path of a name in a directory (of the directory itself without one), or `nil` if it hangs in
    /// no folder at the moment or the path is too long.
    func place(of node: NodeID, name: [UInt8] = []) -> (root: RootID, path: FolderPath?)? {
        var names: [ArraySlice<UInt8>] = name.isEmpty ? [] : [name[...]]
        var node = node
        while let parent = self[node].parent {
            names.append(self[node].name.bytes)
            node = parent
        }
        guard let root = self[node].root else { return nil }
        guard !names.isEmpty else { return (root, nil) }
        guard let path = FolderPath(bytes: Array(names.reversed().joined(separator: [UInt8(ascii: "/")]))) else {
            return nil
        }
        return (root, path)
    }

    /// Says that a watch is on the directory at a path.
    ///
    /// - Returns: A node apart that now has the watch which that path had before, if it was another.
    mutating func setWatch(
        _ watch: Int32, _ root: RootID, _ path: FolderPath?, _ identity: DirectoryIdentity
    ) -> NodeID? {
        guard let node = ensure(root, path) else { return nil }
        var displaced: NodeID?
        if case .watched(let old) = self[node].state, old != watch {
            let holder = insert(Node(parent: nil, root: nil, name: Name(bytes: []), state: .watched(old)))
            byWatch[old] = holder
            displaced = holder
        }
        self[node].state = .watched(watch)
        self[node].identity = identity
        let former = byWatch.updateValue(node, forKey: watch)
        // Last, for a directory that took its parent's name leaves nothing there but the node that just got its watch.
        if let former, former != node {
            self[former].state = .unknown
            self[former].identity = nil
            prune(former)
        }
        return displaced
    }

    /// Says that the directory at a path could not be watched.
    mutating func setRefused(_ root: RootID, _ path: FolderPath?, errno: Int32) {
        guard let node = ensure(root, path) else { return }
        if case .watched = self[node].state { return }
        self[node].state = .refused(errno: errno)
    }

    /// Takes a watch off its directory; the directory is forgotten if nothing is known below it.
    mutating func clearWatch(_ watch: Int32) {
        guard let node = byWatch.removeValue(forKey: watch) else { return }
        self[node].state = .unknown
        self[node].identity = nil
        prune(node)
    }

    /// Takes a subtree out of its folder without forgetting it.
    mutating func detach(_ node: NodeID) {
        guard let parent = self[node].parent else { return }
        self[parent].children[self[node].name] = nil
        self[node].parent = nil
    }

    /// Hangs a subtree that is apart into a directory, at a free name.
    mutating func attach(_ node: NodeID, to parent: NodeID, named name: [UInt8]) {
        self[node].name = Name(bytes: name[...])
        self[node].parent = parent
        self[parent].children[self[node].name] = node
    }

    /// Whether a node is (still) known and hangs in no folder.
    func isDetached(_ node: NodeID) -> Bool {
        guard nodes.indices.contains(Int(node)), let found = nodes[Int(node)] else { return false }
        return found.parent == nil && found.root == nil
    }

    /// Whether one node lies at or above another.
    func contains(_ ancestor: NodeID, _ node: NodeID) -> Bool {
        var node: NodeID? = node
        while let current = node {
            if current == ancestor { return true }
            node = self[current].parent
        }
        return false
    }

    /// Forgets a subtree and gives the watches in it.
    mutating func removeSubtree(_ node: NodeID) -> [Int32] {
        detach(node)
        var watches: [Int32] = []
        var rest = [node]
        while let next = rest.popLast() {
            rest.append(contentsOf: self[next].children.values)
            if case .watched(let watch) = self[next].state {
                watches.append(watch)
                byWatch[watch] = nil
            }
            nodes[Int(next)] = nil
            free.append(next)
        }
        return watches
    }

    /// The directories of a folder, with their states.
    func forEach(in root: RootID, _ body: (FolderPath?, State) -> Void) {
        guard let top = roots[root] else { return }
        var rest = [top]
        while let next = rest.popLast() {
            rest.append(contentsOf: self[next].children.values)
            if let place = place(of: next) { body(place.path, self[next].state) }
        }
    }

    private mutating func ensure(_ root: RootID, _ path: FolderPath?) -> NodeID? {
        guard var node = roots[root] else { return nil }
        for bytes in path?.names ?? [] {
            // A slice would keep the whole path's bytes.
            let name = Name(bytes: Array(bytes)[...])
            if let child = self[node].children[name] {
                node = child
            } else {
                let child = insert(Node(parent: node, root: nil, name: name))
                self[node].children[name] = child
                node = child
            }
        }
        return node
    }

    /// Forgets a node that says nothing, and then perhaps those above it.
    private mutating func prune(_ start: NodeID) {
        var node = start
        while self[node].state == .unknown, self[node].children.isEmpty, self[node].root == nil {
            let parent = self[node].parent
            detach(node)
            nodes[Int(node)] = nil
            free.append(node)
            guard let parent else { return }
            node = parent
        }
    }

    private mutating func insert(_ node: Node) -> NodeID {
        if let id = free.popLast() {
            nodes[Int(id)] = node
            return id
        }
        nodes.append(node)
        return NodeID(nodes.count - 1)
    }

    private subscript(_ id: NodeID) -> Node {
        get { nodes[Int(id)]! }
        _modify { yield &nodes[Int(id)]! }
    }
}
