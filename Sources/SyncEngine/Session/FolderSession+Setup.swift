import CloudKitClient
import CloudKitWire
import FolderKnowledge
import Logging
import ProblemSentences
import RemoteZone
import StateStorage
import SyncModel
import SyncPlanning

/// Account, zone and subscription: what must be there before anything is fetched or sent (S0.3 to S0.12).
///
/// What was created once is remembered, so that a start makes no request that changes anything.
extension FolderSession {
    /// Makes account, zone and subscription ready; `false` where something is missing and has to be waited for.
    func isReady() async throws -> Bool {
        let isReady = try await makeReady()
        try endEvent(.setup)
        return isReady
    }

    private func makeReady() async throws -> Bool {
        guard isRootSafe, !isServerAway else { return false }
        guard try await isAccountReady() else { return false }
        if fetches.isSubscriptionDoubted { try await lookForSubscription() }
        guard knowledge.zoneFacts.created, knowledge.facts.subscription != nil else {
            beginEvent(.setup)
            return try await createMissing()
        }
        eventLog.succeeded(.setup)
        return true
    }

    private func isAccountReady() async throws -> Bool {
        if account.isUsable { return true }
        guard retry.isDue(.account, at: now) else { return false }
        beginEvent(.setup)
        let outcome = await caller()
        let status = AccountStatus(outcome, known: knowledge.facts.account)
        guard try isServerProven(by: status) else { return false }
        let (isNew, isBack) = account.take(status)
        switch status {
        case .available(let user):
            takeSeat(user)
            succeeded(.account)
            if isBack {
                // What was refused or put off meanwhile was so for the account's sake.
                forgetRefusals()
                retry.tryEverything()
            }
            try noteAccount(user, outcome)
            return true
        case .couldNotDetermine:
            guard case .failure(let error) = outcome else { break }
            noteSilence(error)
            waitAfterFailure(.account, after: error.retryAfter, pausing: .item, for: error.obstacle)
        case .noAccount, .restricted, .temporarilyUnavailable, .switched:
            trouble.noteAnswer()
            environment.seat?.take(nil)
            waitAfterFailure(.account, after: nil, atLeast: .seconds(15), pausing: .item)
        }
        if isNew {
            logger.warning("The account cannot be used", metadata: ["status": "\(status.word)"])
            noteFailure(of: .account, code: status.word, message: status.sentence ?? "")
        }
        return false
    }

    /// Keeps whose folder it is, and how the server calls them.
    private func noteAccount(_ user: String, _ outcome: Result<UserIdentity, CloudKitError>) throws {
        let names = (try? outcome.get()).map { [$0.givenName, $0.familyName].compactMap(\.self) } ?? []
        let name = names.isEmpty ? nil : names.joined(separator: " ")
        guard knowledge.facts.account == nil || knowledge.facts.accountName != name else { return }
        try knowledge.updateFacts { facts in
            facts.account = facts.account ?? user
            facts.accountName = name
        }
    }

    /// Goes to the feed of the account's database. What was pushed while nobody of the folder was there is not waited for.
    private func takeSeat(_ user: String) {
        let feed = environment.feeds.feed(
            of: DatabaseIdentity(address: environment.database.address, userRecordName: user))
        let isSeatElsewhere = environment.seat.map { $0.feed !== feed } ?? false
        let isNew = account.take(feed)
        environment.seat?.take(feed)
        guard isNew || isSeatElsewhere else { return }
        fetches.noteOtherFeed()
        oweDatabaseFetch()
    }

    /// Makes zone and subscription. Without a subscription there are no pushes, and polling does; without a zone there
    /// is nothing.
    private func createMissing() async throws -> Bool {
        if !knowledge.zoneFacts.created {
            guard retry.isDue(.zone, at: now) else { return false }
            do {
                guard try await isShared ? isZoneShared() : createZone() else { return false }
            } catch let error as CloudKitError {
                return wait(for: .zone, after: error)
            }
            succeeded(.zone)
            try knowledge.noteCreated()
            try storedEvent(.setup)
        }
        if knowledge.facts.subscription == nil {
            guard retry.isDue(.subscription, at: now) else { return true }
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
                succeeded(.subscription)
            } catch {
                _ = wait(for: .subscription, after: error)
                return knowledge.zoneFacts.created && account.isUsable
            }
            let id = subscription.subscriptionID
            try knowledge.updateFacts { $0.subscription = id }
            try storedEvent(.setup)
        }
        return true
    }

    /// A subscription that the server has lost is made anew: without it nothing is pushed any more, and nobody says so.
    private func lookForSubscription() async throws {
        guard let id = knowledge.facts.subscription else { return fetches.endDoubtOfSubscription() }
        guard retry.isDue(.subscription, at: now) else { return }
        do {
            let result = try await environment.database.lookUpSubscriptions([id]).first
            fetches.endDoubtOfSubscription()
            succeeded(.subscription)
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

    private func createZone() async throws -> Bool {
        let results = try await environment.database.modifyZones([ZoneOperation(.create, knowledge.zoneID)])
        guard case .failure(let error)? = results.first else { return true }
        let reaction = error.reaction(of: .zonesModify)
        return reaction == .done ? true : wait(for: .zone, after: reaction, refusing: error)
    }

    /// Only its owner can make a zone of the shared database: one that is not there is waited for.
    private func isZoneShared() async throws -> Bool {
        let isThere = try await environment.database.listZones().contains { result in
            if case .success(let zone) = result { knowledge.zoneID.isSame(as: zone.zoneID) } else { false }
        }
        if !isThere {
            trouble.noteRefusal(of: .zone, .notShared(knowledge.zoneID))
            waitAfterFailure(.zone, after: nil, atLeast: .seconds(60), pausing: .item)
        }
        return isThere
    }

    // MARK: Failures of requests

    /// Notes that a request failed, and gives `false` for the caller to stop with.
    func wait(for key: RetryKey, after error: CloudKitError) -> Bool {
        logger.info("A request failed", metadata: ["error": "\(error)"])
        let reaction = error.reaction(attempts: retry.failures(of: key))
        if error.isSilence {
            noteSilence(error)
        } else {
            trouble.noteAnswer()
            if case .retry(_, pausing: .database) = reaction { trouble.notePause(error.message) }
        }
        doubtAccount(after: reaction, reason: error.reason)
        noteFailure(of: key, reaction, code: error.word, message: error.message)
        return wait(for: key, after: reaction, reason: error.reason, by: error.obstacle)
    }

    /// Asks for the account again, before anything else, where a refusal may be due to it (S1.10).
    func doubtAccount(after reaction: ErrorReaction, reason: String?) {
        switch reaction {
        case .hold(.noPermission): account.doubt()
        // A 503 that names the account is no matter of the service's load (protocol §7.5).
        case .retry(_, pausing: .database) where reason?.lowercased().contains("account") == true: account.doubt()
        default: break
        }
    }

    /// Notes that the server refused the one thing that a request was about, and gives `false` for the caller to stop with.
    func wait(for key: RetryKey, after reaction: ErrorReaction, refusing error: ErrorDictionary) -> Bool {
        noteFailure(
            of: key, reaction, code: error.serverErrorCode.rawValue,
            message: error.reason ?? error.serverErrorCode.rawValue)
        return wait(for: key, after: reaction, reason: error.reason)
    }

    /// Notes what a failure asks for, and gives `false` for the caller to stop with.
    /// - Parameter reason: The server's words.
    func wait(
        for key: RetryKey, after reaction: ErrorReaction, reason: String? = nil, by obstacle: RetryObstacle = .server
    ) -> Bool {
        switch reaction {
        case .retry(let after, let pause): waitAfterFailure(key, after: after, pausing: pause, for: obstacle)
        case .signIn: credentialsWereRefused()
        case .recreate(.zone):
            zoneIsGone()
            waitAfterFailure(key, after: nil, pausing: .item)
        case .hold(let hold):
            if key == .subscription {
                trouble.notePushRefusal(
                    [hold.reason, reason.map { "(\($0))" }].compactMap(\.self).joined(separator: " "))
            } else {
                trouble.noteRefusal(
                    of: key, .refused(hold, asking: key, zone: knowledge.zoneID.zoneName, reason: reason))
            }
            waitAfterFailure(key, after: nil, atLeast: .seconds(60), pausing: .item)
        case .refetch, .lookUpAndMerge, .split, .recreate, .done: waitAfterFailure(key, after: nil, pausing: .item)
        }
        return false
    }
}
