import CloudKitClient
import CloudKitQueries
import CloudKitWire
import FolderKnowledge
import Logging
import ProblemSentences
import RemoteZone
import SessionCore
import StateRows
import SyncModel

/// Account, zone and subscription: what must be there before anything is fetched or sent (S0.3 to S0.12).
///
/// What was created once is remembered, so that a start makes no request that changes anything.
extension ZoneAccess {
    /// How the way to the zone stands.
    package enum Readiness {
        case ready
        /// Something is missing and has to be waited for.
        case waiting
        /// The server is another one than before: all begins anew.
        case elsewhere
    }

    /// Makes account, zone and subscription ready.
    package nonisolated(nonsending) func makeReady() async throws -> Readiness {
        let readiness = try await madeReady()
        try events.end(.setup)
        return readiness
    }

    nonisolated(nonsending) private func madeReady() async throws -> Readiness {
        guard !setbacks.isServerAway else { return .waiting }
        let ofAccount = try await accountReadiness()
        guard ofAccount == .ready else { return ofAccount }
        if fetches.isSubscriptionDoubted { try await lookForSubscription() }
        guard knowledge.zoneFacts.created, knowledge.facts.subscription != nil else {
            events.begin(.setup)
            return try await createMissing() ? .ready : .waiting
        }
        events.succeeded(.setup)
        return .ready
    }

    /// Makes zone and subscription. Without a subscription there are no pushes, and polling does; without a zone there
    /// is nothing.
    nonisolated(nonsending) private func createMissing() async throws -> Bool {
        if !knowledge.zoneFacts.created {
            guard setbacks.isDue(.zone) else { return false }
            do {
                guard try await knowledge.isShared ? isZoneShared() : createZone() else { return false }
            } catch let error as CloudKitError {
                return wait(for: .zone, after: error)
            }
            setbacks.succeeded(.zone)
            try knowledge.noteCreated()
            try events.stored(.setup)
        }
        if knowledge.facts.subscription == nil {
            guard setbacks.isDue(.subscription) else { return true }
            let subscription = environment.configuration.subscription
            do {
                let results = try await environment.database.modifySubscriptions(
                    [SubscriptionOperation(.create, subscription)])
                if case .failure(let error)? = results.first {
                    let reaction = error.reaction(of: .subscriptionsModify)
                    guard reaction == .done else {
                        _ = wait(for: .subscription, after: reaction, refusing: error)
                        return knowledge.zoneFacts.created
                    }
                }
                setbacks.succeeded(.subscription)
            } catch {
                _ = wait(for: .subscription, after: error)
                return knowledge.zoneFacts.created && account.isUsable
            }
            let id = subscription.subscriptionID
            try knowledge.updateFacts { $0.subscription = id }
            try events.stored(.setup)
        }
        return true
    }

    /// A subscription that the server has lost is made anew: without it nothing is pushed any more, and nobody says so.
    nonisolated(nonsending) private func lookForSubscription() async throws {
        guard let id = knowledge.facts.subscription else { return fetches.endDoubtOfSubscription() }
        guard setbacks.isDue(.subscription) else { return }
        do {
            let result = try await environment.database.lookUpSubscriptions([id]).first
            fetches.endDoubtOfSubscription()
            setbacks.succeeded(.subscription)
            guard case .failure(let error)? = result,
                error.reaction(of: .subscriptionsLookup) == .recreate(.subscription)
            else { return }
            logger.warning("The server has lost the subscription; it is made anew", metadata: ["id": "\(id)"])
            try knowledge.updateFacts { $0.subscription = nil }
            oweDatabaseFetch()
        } catch let error as CloudKitError {
            // Who cannot be asked has not said that it is lost.
            if case .hold = error.reaction() { return fetches.endDoubtOfSubscription() }
            _ = wait(for: .subscription, after: error)
        }
    }

    nonisolated(nonsending) private func createZone() async throws -> Bool {
        let results = try await environment.database.modifyZones([ZoneOperation(.create, knowledge.zoneID)])
        guard case .failure(let error)? = results.first else { return true }
        let reaction = error.reaction(of: .zonesModify)
        return reaction == .done ? true : wait(for: .zone, after: reaction, refusing: error)
    }

    /// Only its owner can make a zone of the shared database: one that is not there is waited for.
    nonisolated(nonsending) private func isZoneShared() async throws -> Bool {
        let isThere = try await environment.database.listZones().contains { result in
            if case .success(let zone) = result { knowledge.zoneID.isSame(as: zone.zoneID) } else { false }
        }
        if !isThere {
            setbacks.noteRefusal(of: .zone, .notShared(knowledge.zoneID))
            setbacks.failed(.zone, atLeast: .seconds(60))
        }
        return isThere
    }
}
