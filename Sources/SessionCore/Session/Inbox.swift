public import FolderWatching
public import RemoteZone
package import SyncModel
public import SyncTiming
import Synchronization

/// Where everything that may wake a session arrives: watch events, requests to look, and news of the zone.
///
/// Safe to call from any thread. Nothing here is lost while a cycle runs: it is there for the next one.
public final class Inbox: Sendable {
    /// The paths that are due for a look.
    package struct Due {
        package var isEverything = false
        package var paths: [FolderPath] = []
    }

    private struct State {
        var coalescer: EventCoalescer = {
            // A session waits by itself before it believes that a file is gone for good.
            var timing = CoalescerTiming()
            timing.absence = .milliseconds(500)
            return EventCoalescer(timing: timing)
        }()
        /// Those who wait for the watcher to come to what they left, by its name.
        var cookies: [[UInt8]: Doorbell] = [:]
        package var cookieCount = 0
    }

    package let doorbell = Doorbell()
    /// What is heard of the zone.
    public let news: ZoneNews
    private let state = Mutex(State())
    private let clock: SessionClock

    /// An inbox that tells events by their time of arrival.
    public init(clock: SessionClock = .system) {
        self.clock = clock
        news = ZoneNews(doorbell: doorbell)
    }

    /// Takes in what the watcher saw.
    public func receive(_ events: [WatchEvent]) {
        let now = clock.steady()
        let reached = state.withLock { state in
            state.coalescer.note(events, now: now)
            return events.compactMap { event in
                if case .cookie(let name) = event { state.cookies.removeValue(forKey: name) } else { nil }
            }
        }
        for waiter in reached { waiter.ring() }
        doorbell.ring()
    }

    /// Whether the watcher reported a cookie, and with it all that had happened before, within a time.
    /// - Parameter drop: Leaves a cookie of this name.
    package func hasCaughtUp(within limit: Duration, drop: (String) throws -> Void) async throws -> Bool {
        let arrival = Doorbell()
        let name = state.withLock { state in
            state.cookieCount += 1
            let name = "status-\(state.cookieCount)"
            state.cookies[Array(name.utf8)] = arrival
            return name
        }
        let key = Array(name.utf8)
        defer { state.withLock { _ = $0.cookies.removeValue(forKey: key) } }
        try drop(name)
        await arrival.wait(timeout: limit, on: clock)
        return state.withLock { $0.cookies[key] == nil }
    }

    package func requestLook(at path: FolderPath, after delay: Duration, now: SteadyInstant) {
        state.withLock { $0.coalescer.request(.entry(path), due: now.offset + delay) }
    }

    package func take(_ now: SteadyInstant) -> Due {
        let requests = state.withLock { $0.coalescer.take(now: now.offset) }
        var due = Due()
        for request in requests {
            switch request {
            case .everything: due.isEverything = true
            case .entry(let path), .subtree(let path): due.paths.append(path)
            }
        }
        return due
    }

    package func nextDue() -> SteadyInstant? {
        state.withLock { $0.coalescer.nextDue() }.map { SteadyInstant(offset: $0) }
    }

    package func hasDue(at now: SteadyInstant) -> Bool {
        nextDue().map { $0 <= now } ?? false
    }

    /// Whether paths wait for a look, due or not.
    package var isWaiting: Bool { waitingLooks > 0 }

    /// How many paths wait for a look, due or not.
    package var waitingLooks: Int { state.withLock { $0.coalescer.count } }
}
