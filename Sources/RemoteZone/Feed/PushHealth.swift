package import SyncTiming
import Synchronization

/// Whether the pushes of a database work, as far as its one listener and the folders notice.
///
/// Nobody tells that a push was lost, that a subscription is gone, or that somebody else reads the same courier. But who
/// listened all the while and then finds by a poll what no push announced knows that something of it is wrong.
package final class PushHealth: Sendable {
    /// Why no pushes come, and since when.
    package struct Trouble: Hashable, Sendable {
        package var since: SteadyInstant
        package var cause: String
    }

    private struct State {
        var listensSince: SteadyInstant?
        var trouble: Trouble?
        var isDoubted = false
    }

    private let state = Mutex(State())

    /// What keeps the courier from being asked; `nil` where it answers.
    package var trouble: Trouble? { state.withLock(\.trouble) }

    /// Whether a new courier is wanted: see ``takeDoubt()``.
    package var areDoubted: Bool { state.withLock(\.isDoubted) }

    // MARK: The listener's word

    /// Somebody listens from now on, or still does.
    package func listen(at now: SteadyInstant) {
        state.withLock { $0.listensSince = $0.listensSince ?? now }
    }

    /// Nobody listens any more.
    package func listenedUntilNow() {
        state.withLock { $0.listensSince = nil }
    }

    /// The courier was asked and answered.
    package func courierAnswered() {
        state.withLock { $0.trouble = nil }
    }

    /// There is no courier, or it does not answer.
    package func failed(because cause: String, at now: SteadyInstant) {
        state.withLock { state in
            state.listensSince = nil
            state.trouble = Trouble(since: state.trouble?.since ?? now, cause: cause)
        }
    }

    /// Whether the courier is to be made anew; asked once.
    package func takeDoubt() -> Bool {
        state.withLock { state in
            defer { state.isDoubted = false }
            return state.isDoubted
        }
    }

    // MARK: The folders' word

    /// Before that, a push may still have been on its way, or have been missed for lack of a listener.
    private static let settling = Duration.seconds(60)

    /// Whether somebody has listened for long enough that a change without a push says something.
    package func areExpected(at now: SteadyInstant) -> Bool {
        state.withLock { state in state.listensSince.map { $0.advanced(by: Self.settling) <= now } ?? false }
    }

    /// A new courier is wanted: somebody else may read this one.
    func doubt() {
        state.withLock { $0.isDoubted = true }
    }
}
