package import SyncTiming
import Synchronization

/// What is heard of a folder's zone, and of the way to its server, until the folder asks for it.
///
/// Safe to call from any thread. News that come while a folder is busy are there when it asks next.
public final class ZoneNews: Sendable {
    /// What pushes say since they were last asked for.
    package struct Pushes: Hashable {
        /// Something changed in the zone.
        package var isOfZone = false
        /// Something changed in the database: what, a reading of its feed later than this one tells.
        package var isOfDatabase: Int?
    }

    private struct State {
        var pushes = Pushes()
        var network: NetworkNews?
        var isSubscriptionDoubted = false
        var hasHeardPush = false
    }

    /// Wakes the folder that they are for.
    let doorbell: Doorbell
    private let state = Mutex(State())

    package init(doorbell: Doorbell) {
        self.doorbell = doorbell
    }

    // MARK: What comes

    /// Takes in that something changed in the zone.
    public func receivePush() {
        state.withLock { $0.pushes.isOfZone = true }
        doorbell.ring()
    }

    /// Takes in that something changed in the database.
    /// - Parameter reading: The newest one that may lack it.
    package func receiveDatabasePush(after reading: Int) {
        state.withLock { $0.pushes.isOfDatabase = max(reading, $0.pushes.isOfDatabase ?? reading) }
        doorbell.ring()
    }

    /// Notes that the courier brought a push for the folder.
    package func hearPush() { state.withLock { $0.hasHeardPush = true } }

    /// Takes in that the server may have lost the subscription.
    package func receiveSubscriptionDoubt() {
        state.withLock { $0.isSubscriptionDoubted = true }
        doorbell.ring()
    }

    /// Takes in that it is worth asking the server again.
    func receive(_ news: NetworkNews) {
        state.withLock { $0.network = max(news, $0.network ?? news) }
        doorbell.ring()
    }

    // MARK: What came

    /// The pushes that came since this was last asked.
    package func takePushes() -> Pushes {
        state.withLock { state in
            defer { state.pushes = Pushes() }
            return state.pushes
        }
    }

    /// Whether a push came that nobody has asked for yet.
    package var hasPushes: Bool {
        state.withLock { $0.pushes != Pushes() }
    }

    /// Whether the courier brought one since this was last asked.
    package func takeHeardPush() -> Bool {
        state.withLock { state in
            defer { state.hasHeardPush = false }
            return state.hasHeardPush
        }
    }

    /// Whether the subscription was doubted since this was last asked.
    package func takeSubscriptionDoubt() -> Bool {
        state.withLock { state in
            defer { state.isSubscriptionDoubted = false }
            return state.isSubscriptionDoubted
        }
    }

    /// What was heard of the network since this was last asked.
    package func takeNetworkNews() -> NetworkNews? {
        state.withLock { state in
            defer { state.network = nil }
            return state.network
        }
    }
}
