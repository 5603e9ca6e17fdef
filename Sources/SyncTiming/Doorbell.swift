import Synchronization

/// Wakes the one task that waits; a ring while nobody waits is kept, several rings are one.
package final class Doorbell: Sendable {
    private enum State {
        case silent
        case rung
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.silent)

    /// Nobody waits.
    package init() {}

    /// Wakes the waiting task, now or as soon as it waits.
    package func ring() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if case .waiting(let waiter) = state {
                state = .silent
                return waiter
            }
            state = .rung
            return nil
        }
        waiter?.resume()
    }

    /// Returns at the next ring, at the latest after `timeout`, or when the task is cancelled.
    package func wait(timeout: Duration?, on clock: SessionClock) async {
        await wait(until: timeout.map { clock.now.advanced(by: $0) }, on: clock)
    }

    /// Returns at the next ring, at the latest at that moment, or when the task is cancelled.
    package func wait(until moment: SteadyInstant?, on clock: SessionClock) async {
        guard let moment else { return await wait() }
        guard moment > clock.now else { return state.withLock { if case .rung = $0 { $0 = .silent } } }
        await withTaskGroup { group in
            group.addTask { await self.wait() }
            group.addTask { try? await clock.sleepUntil(moment.offset) }  // Cancelled early is as good as slept.
            await group.next()
            group.cancelAll()
        }
    }

    /// Returns at the next ring, or when the task is cancelled.
    package func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRung = state.withLock { state in
                    if case .rung = state {
                        state = .silent
                        return true
                    }
                    if Task.isCancelled { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isRung { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard case .waiting(let waiter) = state else { return nil }
                state = .silent
                return waiter
            }
            waiter?.resume()
        }
    }
}
