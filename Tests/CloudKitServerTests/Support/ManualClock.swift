import CloudKitServer
import SeededRandomness
import Synchronization

/// A clock moved by hand, in milliseconds, and randomness by seed.
final class ManualClock: Sendable {
    private let time = Mutex<Int64>(1_790_000_000_000)
    private let random: Mutex<SeededGenerator>

    init(seed: UInt64 = 1) {
        random = Mutex(SeededGenerator(seed: seed))
    }

    var now: Int64 { time.withLock { $0 } }

    func advance(seconds: Int64) {
        time.withLock { $0 += seconds * 1000 }
    }

    var surroundings: StoreSurroundings {
        StoreSurroundings(
            now: { self.now },
            randomBytes: { count in
                self.random.withLock { random in (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
            })
    }
}
