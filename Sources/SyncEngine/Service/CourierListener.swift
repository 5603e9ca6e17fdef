import CloudKitClient
import CloudKitWire
import Logging
import StateStorage

/// Waits for pushes and hands them to the session; a push is a hint, so a lost one costs only time (S0.12, S0.13).
struct CourierListener: Sendable {
    let database: CloudKitDatabase
    let store: StateStore
    let inbox: Inbox
    let clock: SessionClock
    let filter: PushFilter
    let zone: String
    let logger: Logger

    /// A token's queue lives twelve hours; a new one is made well before that.
    private static let tokenLifetimeMilliseconds: Int64 = 11 * 3600 * 1000

    /// Listens until the task is cancelled.
    func run() async {
        var backoff = Backoff(policy: .init(first: .milliseconds(200), longest: .seconds(120)))
        var random = SystemRandomNumberGenerator()
        var isFresh = true
        while !Task.isCancelled {
            do {
                let url = try await courier()
                if isFresh {
                    // What was pushed while nobody listened is not waited for.
                    isFresh = false
                    inbox.receivePush()
                }
                let asked = clock.steady()
                let push = try await database.pollCourier(url)
                backoff.succeeded()
                guard let push else {
                    // An empty answer ends a long wait; one that comes at once must not be asked for without a pause.
                    let waited = clock.steady() - asked
                    if waited < .seconds(1) { try? await Task.sleep(for: .seconds(1) - waited) }
                    continue
                }
                switch filter.meaning(of: push) {
                case .foreign: logger.debug("A push for somebody else was ignored")
                case .database: inbox.receivePush()
                case .zone(let id): if id.zoneName.utf8.elementsEqual(zone.utf8) { inbox.receivePush() }
                }
            } catch let error as CloudKitError {
                if case .transport(.timedOut) = error.code { continue }
                isFresh = true
                logger.debug("The courier cannot be reached", metadata: ["error": "\(error)"])
                if error.status != nil { forgetCourier() }
                let wait = backoff.failed(retryAfter: error.retryAfter, using: &random)
                try? await Task.sleep(for: wait)  // Cancelled: the loop ends.
            } catch {
                logger.error("The courier's address cannot be stored", metadata: ["error": "\(error)"])
                try? await Task.sleep(for: .seconds(60))
            }
        }
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
