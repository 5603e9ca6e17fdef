import CloudKitClient
import CloudKitWire
import Logging
import RemoteZone
import RequestPacing
import StateRows
import StateStorage
import SyncTiming

/// Waits for pushes and hands them to the sessions; a push is a hint, so a lost one costs only time (S0.12, S0.13).
///
/// Every folder has a listener, and of those of one database one listens for all. It gives its turn to the next when it
/// ends, and where its account is refused.
struct CourierListener: Sendable {
    let database: CloudKitDatabase
    let store: StateStore
    let seat: FeedSeat
    let clock: SessionClock
    var network: NetworkReach?
    let logger: Logger

    /// A token's queue lives twelve hours; a new one is made well before that.
    private static let tokenLifetimeMilliseconds: Int64 = 11 * 3600 * 1000

    /// What became of one question.
    private enum Answer: Sendable {
        /// Whether it was for one of the folders.
        case push(isOurs: Bool)
        /// There was nothing to tell for as long as the courier holds its answer back.
        case nothing
        /// Nothing was heard for longer than that.
        case hung
        /// The network was away meanwhile, or the pushes seem to go elsewhere.
        case doubted
    }

    /// Listens until the task is cancelled.
    func run() async {
        var backoff = Backoff(policy: .init(first: .milliseconds(200), longest: .seconds(120)))
        defer { seat.take(nil) }
        while let feed = await seat.occupied() {
            guard let turn = try? await feed.listening.enter() else { return }  // Cancelled.
            network?.add(feed.listenersDoorbell)
            let wait = await listen(for: feed, &backoff)
            network?.remove(feed.listenersDoorbell)
            feed.pushes.listenedUntilNow()
            await feed.listening.leave(turn)
            if let wait { try? await clock.sleep(wait) }  // Cancelled: the loop ends.
        }
    }

    /// Listens for all folders of a database, until the task is cancelled or the account is refused: gives the time after
    /// which to ask for another turn.
    private func listen(for feed: DatabaseFeed, _ backoff: inout Backoff) async -> Duration? {
        var random = SystemRandomNumberGenerator()
        var patience = CourierPatience()
        var isFresh = true
        var earlyTries = 0
        while !Task.isCancelled, seat.feed === feed {
            do {
                await untilReachable(database.address.baseURL, feed)
                let url = try await courier(of: feed)
                await untilReachable(url, feed)
                if isFresh {
                    // What was pushed while nobody listened is not waited for.
                    isFresh = false
                    feed.pushesWereMissed()
                }
                let asked = clock.steady()
                feed.pushes.listen(at: SteadyInstant(offset: asked))
                switch try await ask(url, for: feed, within: patience.bound) {
                case .push(let isOurs):
                    if !isOurs { logger.debug("A push for somebody else was ignored") }
                case .nothing:
                    // An empty answer ends a long wait; one that comes at once must not be asked for without a pause.
                    let waited = clock.steady() - asked
                    patience.heard(after: waited)
                    if waited < .seconds(1) { try? await clock.sleep(.seconds(1) - waited) }
                case .hung, .doubted:
                    feed.pushes.listenedUntilNow()
                    isFresh = true
                    continue
                }
                backoff.succeeded()
                earlyTries = 0
                feed.pushes.courierAnswered()
            } catch let error as CloudKitError {
                isFresh = true
                logger.debug("The courier cannot be reached", metadata: ["error": "\(error)"])
                if error.status != nil { forgetCourier() }
                feed.pushes.failed(because: error.message, at: clock.now)
                let wait = backoff.failed(retryAfter: error.retryAfter, using: &random)
                if error.isOfTheAccount { return wait }
                earlyTries = await pause(wait, after: error, earlyTries, feed) ? earlyTries + 1 : 0
            } catch is CancellationError {
                return nil
            } catch {
                logger.error("The courier's address cannot be stored", metadata: ["error": "\(error)"])
                return .seconds(60)
            }
        }
        return nil
    }

    // MARK: Waiting

    /// Waits for the next push, for the time at which a courier hangs, and for whatever makes this wait vain.
    private func ask(_ url: String, for feed: DatabaseFeed, within bound: Duration) async throws -> Answer {
        let returns = network?.returns
        return try await withThrowingTaskGroup(of: Answer.self) { group in
            group.addTask {
                guard let push = try await database.pollCourier(url) else { return .nothing }
                // At once: that the other waits end takes a while.
                return .push(isOurs: feed.deliver(push))
            }
            group.addTask {
                try await clock.sleep(bound)
                return .hung
            }
            group.addTask {
                while !Task.isCancelled, network?.returns == returns, !feed.pushes.areDoubted {
                    await feed.listenersDoorbell.wait()
                }
                return .doubted
            }
            defer { group.cancelAll() }
            return try await group.next()!
        }
    }

    /// Waits for as long as a server is known to be away.
    private func untilReachable(_ url: String, _ feed: DatabaseFeed) async {
        let server = ServerOrigin(of: url)
        while !Task.isCancelled, network?.isAway(server) == true { await feed.listenersDoorbell.wait() }
    }

    /// Waits after a failure; gives whether news of the network ended that. One that fails all the same waits its time.
    private func pause(
        _ wait: Duration, after error: CloudKitError, _ earlyTries: Int, _ feed: DatabaseFeed
    ) async -> Bool {
        let start = clock.steady()
        if error.obstacle == .network, network != nil, earlyTries < Self.mostEarlyTries {
            await feed.listenersDoorbell.wait(timeout: wait, on: clock)
        } else {
            try? await clock.sleep(wait)  // Cancelled: the loop ends.
        }
        return clock.steady() - start < wait || earlyTries >= Self.mostEarlyTries
    }

    private static let mostEarlyTries = 2

    // MARK: The courier's address

    /// The stored courier, or a new one.
    private func courier(of feed: DatabaseFeed) async throws -> String {
        if feed.pushes.takeDoubt() { forgetCourier() }
        let facts = try store.facts()
        if let url = facts.courierURL, facts.courierExpiresMilliseconds ?? 0 > clock.milliseconds { return url }
        let answer = try await database.createPushToken(clientID: facts.device)
        let expires = clock.milliseconds + Self.tokenLifetimeMilliseconds
        _ = try store.updateFacts { facts in
            facts.courierURL = answer.webcourierURL
            facts.courierExpiresMilliseconds = expires
            facts.pushToken = answer.apnsToken
        }
        // A server that has forgotten the one may have forgotten what it was for.
        if facts.pushToken != nil { feed.subscriptionsAreDoubted() }
        return answer.webcourierURL
    }

    private func forgetCourier() {
        do {
            _ = try store.updateFacts { $0.courierURL = nil }
        } catch {
            logger.error("The courier's address cannot be forgotten", metadata: ["error": "\(error)"])
        }
    }
}
