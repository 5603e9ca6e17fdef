import Synchronization

/// A number that is counted down from several threads.
final class AtomicCounter: Sendable {
    private let value: Mutex<Int>

    init(_ value: Int) {
        self.value = Mutex(value)
    }

    /// Takes one away and gives what is left.
    func decrement() -> Int {
        value.withLock {
            $0 -= 1
            return $0
        }
    }
}
