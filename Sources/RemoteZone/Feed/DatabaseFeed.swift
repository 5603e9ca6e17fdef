package import CloudKitClient
package import CloudKitWire
package import SyncTiming
import Synchronization

/// The change feed of one database, read once for all folders that are zones of it (S0.16, S0.17).
///
/// Every folder keeps a token of its own, and stores it with the fact that its zone is owed; nothing here is stored, so
/// a folder can as well go on alone, or with other ones. A reading begins where the last one ended, and a folder takes
/// from it what follows its own token. One whose token is not among those that were read here, since it is new, comes from
/// another process or was away for long, takes the zone for changed and goes on with the others: whatever a token covers,
/// a zone that is fetched after it was given lacks nothing.
///
/// Readings are numbered. Who wants to know what happened before a moment notes ``begun`` then, and is content with any
/// reading of a higher number, whoever asked for it.
package final class DatabaseFeed: Sendable {
    /// What the feed says to one folder.
    package enum Outcome: Sendable {
        case changes(Changes)
        case failed(CloudKitError)
        /// The server says that there is more, and gives the same token again.
        case standingStill
    }

    /// What follows a folder's token.
    package struct Changes: Sendable {
        package var zones: [ChangedZone]
        /// Covers ``zones``.
        package var token: String
        /// Whether what follows the folder's token is not known here, so that every zone may have changed.
        package var isGap = false
        /// The number of the newest reading, and when it was asked for.
        package var reading: Int
        package var asked: SteadyInstant
    }

    private struct State {
        var memory = FeedMemory()
        var listeners: [ObjectIdentifier: PushListener] = [:]
    }

    private let state = Mutex(State())
    private let reading = SerialGate()
    /// The feeds of the zones that the database has.
    package let zones = ZoneReading()
    /// Lets one folder at a time listen for all (see ``CourierListener``).
    package let listening = SerialGate()
    /// Rung when whoever listens for all should look up.
    package let listenersDoorbell = Doorbell()
    /// Whether pushes come as they should.
    package let pushes = PushHealth()

    /// How many readings have begun.
    package var begun: Int { state.withLock(\.memory.begun) }

    /// The last reading that came to its end, and when it was asked for; 0 before the first one.
    package var newest: (reading: Int, asked: SteadyInstant) {
        state.withLock { ($0.memory.finished, $0.memory.asked) }
    }

    /// What follows a token, from a reading later than `number`: one that another folder asked for, or a new one.
    /// - Parameter database: With the asking folder's credentials. What the server says of an account goes to its folder
    ///   alone, and the next one asks anew with its own; every other failure is that of all who waited.
    /// - Parameter now: The moment of a new reading.
    /// - Throws: `CancellationError`.
    package func changes(
        since token: String?, after number: Int, asking database: CloudKitDatabase, at now: SteadyInstant
    ) async throws -> Outcome {
        let turn = try await reading.enter()
        if let outcome = known(since: token, after: number) {
            await reading.leave(turn)
            return outcome
        }
        let outcome = await read(from: token, asking: database, at: now)
        await reading.leave(turn)
        return outcome ?? known(since: token, after: number) ?? .standingStill
    }

    // MARK: Reading

    private func known(since token: String?, after number: Int) -> Outcome? {
        state.withLock { $0.memory.outcome(since: token, after: number) }
    }

    /// Reads to the feed's end; gives what went wrong, or `nil`.
    private func read(
        from first: String?, asking database: CloudKitDatabase, at now: SteadyInstant
    ) async -> Outcome? {
        let (number, known) = state.withLock { ($0.memory.begin(), $0.memory.token) }
        var token = known ?? first
        var isNew = false
        while true {
            let page: DatabaseChangesResponse
            do {
                page = try await database.databaseChanges(since: token)
            } catch {
                if error.reaction(hadToken: token != nil) == .refetch, !isNew {
                    isNew = true
                    token = nil
                    state.withLock { $0.memory.forgetToken() }
                    continue
                }
                return failed(number, .failed(error), isForAll: !error.isOfTheAccount)
            }
            let isSame = token.map { $0.utf8.elementsEqual(page.syncToken.utf8) } ?? false
            state.withLock { $0.memory.add(page, since: token, of: number) }
            guard page.moreComing else { break }
            guard !isSame else { return failed(number, .standingStill, isForAll: true) }
            token = page.syncToken
        }
        state.withLock { $0.memory.finish(number, asked: now) }
        return nil
    }

    private func failed(_ number: Int, _ outcome: Outcome, isForAll: Bool) -> Outcome {
        if isForAll { state.withLock { $0.memory.fail(number, outcome) } }
        return outcome
    }

    // MARK: Pushes

    /// Lets a folder have the pushes of the database, whoever listens for them.
    package func add(_ listener: PushListener) {
        state.withLock { $0.listeners[ObjectIdentifier(listener.news)] = listener }
    }

    /// Ends what ``add(_:)`` began.
    package func remove(_ listener: PushListener) {
        state.withLock { _ = $0.listeners.removeValue(forKey: ObjectIdentifier(listener.news)) }
    }

    /// Hands a push to the folders that it is for; `false` where it is for none.
    package func deliver(_ push: PushNotification) -> Bool {
        let (listeners, begun) = state.withLock { (Array($0.listeners.values), $0.memory.begun) }
        return listeners.count { $0.receive(push, begun: begun) } > 0
    }

    /// Tells all folders that their subscriptions may be gone.
    package func subscriptionsAreDoubted() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.news.receiveSubscriptionDoubt() }
    }

    /// Lets whoever listens for all make a new courier.
    package func renewCourier() {
        pushes.doubt()
        listenersDoorbell.ring()
    }

    /// Tells all folders that pushes may have been lost until now.
    package func pushesWereMissed() {
        let (listeners, begun) = state.withLock { (Array($0.listeners.values), $0.memory.begun) }
        for listener in listeners { listener.news.receiveDatabasePush(after: begun) }
    }
}
