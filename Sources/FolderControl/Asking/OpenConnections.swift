import Synchronization

/// Counts the connections that are answered now.
final class OpenConnections: Sendable {
    private let count = Mutex(0)
    private let most: Int

    init(most: Int) {
        self.most = most
    }

    /// Whether there is room for this one.
    func enter() -> Bool {
        count.withLock { count in
            count += 1
            return count <= most
        }
    }

    func leave() {
        count.withLock { $0 -= 1 }
    }
}
