import SyncTiming
import Synchronization

@testable import SyncEngine

/// Waits for what other tasks are about to bring about.
func until(_ holds: () async throws -> Bool) async rethrows {
    // A pause of no meaning: who asks without one keeps the threads from those who are to do it.
    while try await !holds() { try? await Task.sleep(for: .milliseconds(1)) }
}

/// Steady time that passes only when told to; the wall clock stays the machine's, since it stamps files.
final class HandMovedClock: Sendable {
    private struct State {
        var now = Duration.zero
        var last = 0
        var sleepers: [Int: (due: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    private let state = Mutex(State())

    var now: Duration { state.withLock(\.now) }

    /// How many sleep.
    var sleepers: Int { state.withLock { $0.sleepers.count } }

    var clock: SessionClock {
        SessionClock(
            wall: SessionClock.system.wall, steady: { self.now }, sleepUntil: { try await self.sleep(until: $0) })
    }

    /// Lets time pass, and wakes whoever slept until then.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.due <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.due < $1.due }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Returns once so many sleep.
    func untilAsleep(_ count: Int = 1) async {
        await until { self.sleepers >= count }
    }

    /// Returns once somebody sleeps until then, and not for less.
    func untilAsleep(until due: Duration) async {
        await until { self.state.withLock { $0.sleepers.values.contains { $0.due == due } } }
    }

    private func sleep(until due: Duration) async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard due > state.now else { return .success(()) }
                    state.sleepers[number] = (due, continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation
                .resume(throwing: CancellationError())
        }
    }
}
