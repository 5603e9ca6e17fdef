import CloudKitClient
import CloudKitWire
import Logging
import StateStorage

/// Waits for pushes and hands them to the sessions; a push is a hint, so a lost one costs only time (S0.12, S0.13).
///
/// Every folder has a listener, and of those of one database one listens for all. It gives its turn to the next when it
/// ends, and where its account is refused.
struct CourierListener: Sendable {
    let database: CloudKitDatabase
    let store: StateStore
    let seat: FeedSeat
    let clock: SessionClock
    let logger: Logger

    /// A token's queue lives twelve hours; a new one is made well before that.
    private static let tokenLifetimeMilliseconds: Int64 = 11 * 3600 * 1000

    /// Listens until the task is cancelled.
    func run() async {
        var backoff = Backoff(policy: .init(first: .milliseconds(200), longest: .seconds(120)))
        defer { seat.take(nil) }
        while let feed = await seat.occupied() {
            guard let turn = try? await feed.listening.enter() else { return }  // Cancelled.
            let wait = await listen(for: feed, &backoff)
            await feed.listening.leave(turn)
            if let wait { try? await clock.sleep(wait) }  // Cancelled: the loop ends.
        }
    }

    /// Listens for all folders of a database, until the task is cancelled or the account is refused: gives the time after
    /// which to ask for another turn.
    private func listen(for feed: DatabaseFeed, _ backoff: inout Backoff) async -> Duration? {
        var random = SystemRandomNumberGenerator()
        var isFresh = true
        while !Task.isCancelled, seat.feed === feed {
            do {
                let url = try await courier()
                if isFresh {
                    // What was pushed while nobody listened is not waited for.
                    isFresh = false
                    feed.pushesWereMissed()
                }
                let asked = clock.steady()
                let push = try await database.pollCourier(url)
                backoff.succeeded()
                guard let push else {
                    // An empty answer ends a long wait; one that comes at once must not be asked for without a pause.
                    let waited = clock.steady() - asked
                    if waited < .seconds(1) { try? await clock.sleep(.seconds(1) - waited) }
                    continue
                }
                if !feed.deliver(push) { logger.debug("A push for somebody else was ignored") }
            } catch let error as CloudKitError {
                if case .transport(.timedOut) = error.code { continue }
                isFresh = true
                logger.debug("The courier cannot be reached", metadata: ["error": "\(error)"])
                if error.status != nil { forgetCourier() }
                let wait = backoff.failed(retryAfter: error.retryAfter, using: &random)
                if error.isOfTheAccount { return wait }
                try? await clock.sleep(wait)  // Cancelled: the loop ends.
            } catch {
                logger.error("The courier's address cannot be stored", metadata: ["error": "\(error)"])
                return .seconds(60)
            }
        }
        return nil
    }

    /// The stored courier, or a new one.
    private func courier() async throws -> String {
        let facts = try store.facts()
        if let url = facts.courierURL, facts.courierExpiresMilliseconds ?? 0 > clock.milliseconds { return url }
        let answer = try await database.createPushToken(clientID: facts.device)
        let expires = clock.milliseconds + Self.tokenLifetimeMilliseconds
        _ = try store.updateFacts { facts in
            facts.courierURL = answer.webcourierURL
            facts.courierExpiresMilliseconds = expires
            facts.pushToken = answer.apnsToken
        }
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
