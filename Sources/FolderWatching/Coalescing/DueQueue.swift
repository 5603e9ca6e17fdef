/// A queue of keys by due time, as a binary heap.
///
/// A key may be in it many times: its owner knows which time counts, and passes over the others.
struct DueQueue<Key: Sendable>: Sendable {
    private var heap: [(due: Duration, key: Key)] = []

    var count: Int { heap.count }
    var first: (due: Duration, key: Key)? { heap.first }

    mutating func insert(_ key: Key, due: Duration) {
        heap.append((due, key))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].due < heap[parent].due else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].due < heap[least].due { least = child }
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    mutating func removeAll() {
        heap.removeAll()
    }
}
