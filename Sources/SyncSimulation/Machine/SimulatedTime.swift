import SyncEngine
import SyncTiming
import Synchronization

/// Time that passes only when it is told to, and those who wait for it.
final class SimulatedTime: Sendable {
    private struct Sleeper {
        var due: Duration
        var number: UInt64
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var steady = Duration.zero
        /// How far the wall clock was set away from where it began.
        var step = Duration.zero
        var sleepers: [Sleeper] = []
        var lastNumber: UInt64 = 0
        var cancelled: Set<UInt64> = []
    }

    /// 2026-01-01T00:00:00Z, in nanoseconds since 1970.
    private static let beginning: Int64 = 1_767_225_600_000_000_000
    private let state = Mutex(State())

    /// Since the beginning; never jumps.
    var steady: Duration { state.withLock(\.steady) }

    /// Nanoseconds since 1970, by a clock that can be set.
    var wall: Int64 {
        state.withLock { Self.beginning + $0.steady.nanoseconds + $0.step.nanoseconds }
    }

    /// Sets the wall clock forward or back.
    func setWall(by step: Duration) {
        state.withLock { $0.step += step }
    }

    /// Lets as much time pass as any call takes, so that no two of them happen at once.
    func tick() {
        state.withLock { $0.steady += .microseconds(20) }
    }

    /// When the next sleeper is to be woken.
    var nextDue: Duration? {
        state.withLock { $0.sleepers.map(\.due).min() }
    }

    /// Lets time pass until a moment, and wakes those who waited for it.
    func advance(to moment: Duration) {
        let woken = state.withLock { state in
            state.steady = max(state.steady, moment)
            let woken = state.sleepers.filter { $0.due <= state.steady }
            state.sleepers.removeAll { $0.due <= state.steady }
            return woken.sorted { ($0.due, $0.number) < ($1.due, $1.number) }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Returns at that moment.
    private func sleep(until due: Duration) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return true }
                    state.sleepers.append(Sleeper(due: due, number: number, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// The clock that a session gets.
    var clock: SessionClock {
        SessionClock(wall: { self.wall }, steady: { self.steady }, sleepUntil: { try await self.sleep(until: $0) })
    }
}

extension Duration {
    var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
