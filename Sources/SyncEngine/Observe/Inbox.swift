public import FolderWatching
import SyncModel
import Synchronization

/// Where everything that may wake a session arrives: watch events, pushes, and requests to look.
///
/// Safe to call from any thread. Nothing here is lost while a cycle runs: it is there for the next one.
public final class Inbox: Sendable {
    /// The paths that are due for a look.
    struct Due {
        var isEverything = false
        var paths: [FolderPath] = []
    }

    /// What pushes say since they were last asked for.
    struct Pushes: Hashable {
        /// Something changed in the zone.
        var isOfZone = false
        /// Something changed in the database: what, a reading of its feed later than this one tells.
        var isOfDatabase: Int?
    }

    private struct State {
        var coalescer: EventCoalescer = {
            // A session waits by itself before it believes that a file is gone for good.
            var timing = CoalescerTiming()
            timing.absence = .milliseconds(500)
            return EventCoalescer(timing: timing)
        }()
        var pushes = Pushes()
        var network: NetworkNews?
        var isSubscriptionDoubted = false
        var hasHeardPush = false
        /// Those who wait for the watcher to come to what they left, by its name.
        var cookies: [[UInt8]: Doorbell] = [:]
        var cookieCount = 0
    }

    let doorbell = Doorbell()
    private let state = Mutex(State())
    private let clock: SessionClock

    /// An inbox that tells events by their time of arrival.
    public init(clock: SessionClock = .system) {
        self.clock = clock
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
    func hasCaughtUp(within limit: Duration, drop: (String) throws -> Void) async throws -> Bool {
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

    /// Takes in that something changed in the zone.
    public func receivePush() {
        state.withLock { $0.pushes.isOfZone = true }
        doorbell.ring()
    }

    /// Takes in that something changed in the database.
    /// - Parameter reading: The newest one that may lack it.
    func receiveDatabasePush(after reading: Int) {
        state.withLock { $0.pushes.isOfDatabase = max(reading, $0.pushes.isOfDatabase ?? reading) }
        doorbell.ring()
    }

    /// The pushes that came since this was last asked.
    func takePushes() -> Pushes {
        state.withLock { state in
            defer { state.pushes = Pushes() }
            return state.pushes
        }
    }

    /// Whether a push came that nobody has asked for yet.
    var hasPushes: Bool {
        state.withLock { $0.pushes != Pushes() }
    }

    /// Notes that the courier brought a push for the folder.
    func hearPush() { state.withLock { $0.hasHeardPush = true } }

    /// Whether the courier brought one since this was last asked.
    func takeHeardPush() -> Bool {
        state.withLock { state in
            defer { state.hasHeardPush = false }
            return state.hasHeardPush
        }
    }

    /// Takes in that the server may have lost the subscription.
    func receiveSubscriptionDoubt() {
        state.withLock { $0.isSubscriptionDoubted = true }
        doorbell.ring()
    }

    /// Whether the subscription was doubted since this was last asked.
    func takeSubscriptionDoubt() -> Bool {
        state.withLock { state in
            defer { state.isSubscriptionDoubted = false }
            return state.isSubscriptionDoubted
        }
    }

    /// Takes in that it is worth asking the server again.
    func receive(_ news: NetworkNews) {
        state.withLock { $0.network = max(news, $0.network ?? news) }
        doorbell.ring()
    }

    /// What was heard of the network since this was last asked.
    func takeNetworkNews() -> NetworkNews? {
        state.withLock { state in
            defer { state.network = nil }
            return state.network
        }
    }

    func requestLook(at path: FolderPath, after delay: Duration, now: SteadyInstant) {
        state.withLock { $0.coalescer.request(.entry(path), due: now.offset + delay) }
    }

    func take(_ now: SteadyInstant) -> Due {
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

    func nextDue() -> SteadyInstant? {
        state.withLock { $0.coalescer.nextDue() }.map { SteadyInstant(offset: $0) }
    }

    func hasDue(at now: SteadyInstant) -> Bool {
        nextDue().map { $0 <= now } ?? false
    }

    /// Whether paths wait for a look, due or not.
    var isWaiting: Bool { waitingLooks > 0 }

    /// How many paths wait for a look, due or not.
    var waitingLooks: Int { state.withLock { $0.coalescer.count } }
}
