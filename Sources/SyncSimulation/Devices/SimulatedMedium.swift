import Synchronization

/// A device's state database: what of it a crash leaves.
final class SimulatedMedium: Sendable {
    private struct State {
        /// The database after the last durable transaction, and after each one since.
        var images: [[UInt8]] = []
        var failsNext = false
        var commits = 0
    }

    private let state = Mutex(State())

    var image: [UInt8]? { state.withLock { $0.images.last } }

    /// How many transactions wrote something.
    var commits: Int { state.withLock(\.commits) }

    func willCommit() throws {
        try state.withLock { state in
            if state.failsNext {
                state.failsNext = false
                throw StoreFailure()
            }
        }
    }

    func didCommit(isDurable: Bool, image: () -> [UInt8]) {
        let image = image()
        state.withLock { state in
            state.commits += 1
            if isDurable { state.images = [] }
            state.images.append(image)
            // Which of many is left matters little, so long as it may be an old one.
            if state.images.count > 12 { state.images.remove(at: 6) }
        }
    }

    /// Lets the next transaction fail, as on a full disk.
    func failNext() {
        state.withLock { $0.failsNext = true }
    }

    /// The power fails: some of the last transactions are lost, none before the last durable one.
    func losePower(_ random: inout SeededRandom) {
        let count = state.withLock { $0.images.count }
        guard count > 1 else { return }
        let kept = 1 + random.below(count)
        state.withLock { $0.images.removeLast($0.images.count - kept) }
    }
}

/// The database cannot be written.
struct StoreFailure: Error {}
