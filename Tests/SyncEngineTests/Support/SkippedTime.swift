import SyncTiming
import Synchronization

/// The machine's time, of which a test skips some.
final class SkippedTime: Sendable {
    private let skipped = Mutex(Duration.zero)

    /// The wall clock is the machine's own.
    var clock: SessionClock {
        SessionClock(
            wall: SessionClock.system.wall, steady: { SessionClock.system.steady() + self.skipped.withLock { $0 } })
    }

    func skip(_ time: Duration) { skipped.withLock { $0 += time } }
}
