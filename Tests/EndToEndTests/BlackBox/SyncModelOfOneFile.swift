/// What a sync service may do with one file (design.md §6): the zone's version holds the path, a local version that both
/// changed becomes a conflict copy, an edit beats a deletion, equal texts are adopted.
struct SyncModelOfOneFile: Hashable {
    struct Node: Hashable {
        /// What the file holds; `nil` where it is not there.
        var value: String?
        /// What node and server last agreed on: the file was changed here where it holds something else.
        var base: String?
        /// Whether that is what the server has now.
        var isFresh = true
    }

    var server: String?
    var nodes: [Node]
    var copies: Set<String> = []

    /// Nothing is there yet.
    init(nodes count: Int) { nodes = Array(repeating: Node(), count: count) }

    /// The node sends its change, which only works upon the server's present version.
    func uploaded(by number: Int) -> Self? {
        let node = nodes[number]
        guard node.isFresh, node.value != node.base else { return nil }
        var next = self
        next.nodes[number].base = node.value
        next.server = node.value
        for other in nodes.indices where other != number { next.nodes[other].isFresh = false }
        return next
    }

    /// The node learns of the server's version.
    func downloaded(by number: Int) -> Self? {
        let node = nodes[number]
        guard !node.isFresh else { return nil }
        var next = self
        next.nodes[number].isFresh = true
        next.nodes[number].base = server
        if node.value == node.base || node.value == nil {
            next.nodes[number].value = server
        } else if let value = node.value, let server, value != server {
            next.copies.insert(value)
            next.nodes[number].value = server
        }
        return next
    }

    /// All that may be the case after something was seen; nothing where that could not be seen.
    func after(_ observation: Observation) -> [Self] {
        switch observation {
        case .read(let node, let value): return nodes[node].value == value ? [self] : []
        case .write(let node, let value, let old):
            guard nodes[node].value == old else { return [] }
            var next = self
            next.nodes[node].value = value
            guard value == nil, let old, let copied = replacing(old, on: node) else { return [next] }
            var other = next
            other.copies.insert(copied)
            return [next, other]
        case .rest(let value, let seen):
            let isAtRest = nodes.allSatisfy { $0.isFresh && $0.value == $0.base && $0.value == value }
            return isAtRest && server == value && copies == seen ? [self] : []
        }
    }

    /// What the node may be putting into a conflict copy at this very moment: deleted by a person before it was replaced, its
    /// copy stays, for they may have seen that.
    private func replacing(_ text: String, on number: Int) -> String? {
        let node = nodes[number]
        return !node.isFresh && node.value != node.base && server != nil && server != text ? text : nil
    }

    /// All that may be the case once any uploads and downloads have happened.
    static func closure(of states: Set<Self>) -> Set<Self> {
        var all = states
        var open = Array(states)
        while let state = open.popLast() {
            for node in state.nodes.indices {
                for next in [state.uploaded(by: node), state.downloaded(by: node)] {
                    if let next, all.insert(next).inserted { open.append(next) }
                }
            }
        }
        return all
    }

    /// How many observations of a trace can be explained: all of them where the trace is right.
    static func explained(_ trace: [Observation], nodes: Int) -> Int {
        var states: Set = [Self(nodes: nodes)]
        for (number, observation) in trace.enumerated() {
            states = Set(closure(of: states).flatMap { $0.after(observation) })
            if states.isEmpty { return number }
        }
        return trace.count
    }
}
