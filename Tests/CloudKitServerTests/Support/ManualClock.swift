import CloudKitServer
import Synchronization

/// A clock moved by hand, in milliseconds, and randomness by seed (SplitMix64).
final class ManualClock: Sendable {
    private let time = Mutex<Int64>(1_790_000_000_000)
    private let state: Mutex<UInt64>

    init(seed: UInt64 = 1) {
        state = Mutex(seed)
    }

    var now: Int64 { time.withLock { $0 } }

    func advance(seconds: Int64) {
        time.withLock { $0 += seconds * 1000 }
    }

    var surroundings: StoreSurroundings {
        StoreSurroundings(
            now: { self.now }, randomBytes: { count in (0..<count).map { _ in UInt8(truncatingIfNeeded: self.next()) } }
        )
    }

    private func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
}
