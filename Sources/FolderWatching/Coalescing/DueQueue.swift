import HeapModule

/// A queue of keys by due time.
///
/// A key may be in it many times: its owner knows which time counts, and passes over the others.
struct DueQueue<Key: Sendable>: Sendable {
    struct Item: Comparable, Sendable {
        let due: Duration
        let key: Key

        static func == (left: Self, right: Self) -> Bool { left.due == right.due }
        static func < (left: Self, right: Self) -> Bool { left.due < right.due }
    }

    private var heap = Heap<Item>()

    var count: Int { heap.count }
    /// What is due first.
    var first: Item? { heap.min }

    mutating func insert(_ key: Key, due: Duration) { heap.insert(Item(due: due, key: key)) }

    mutating func removeFirst() { heap.removeMin() }

    mutating func removeAll() { heap = Heap() }
}
