import CloudKitClient
import CloudKitWire
import FolderControl
import FolderKnowledge
import Logging
import RemoteZone
import RequestPacing
import SessionCore
import StateRows
import SyncModel
import SyncTiming

/// Who is signed in: whom the server names, and credentials that change while the session runs.
extension ZoneAccess {
    nonisolated(nonsending) func accountReadiness() async throws -> Readiness {
        if account.isUsable { return .ready }
        guard setbacks.isDue(.account) else { return .waiting }
        events.begin(.setup)
        let (outcome, hasSignIn) = await caller()
        let status = AccountStatus(outcome, known: knowledge.facts.account)
        guard try isServerProven(by: status) else { return .elsewhere }
        let (isNew, isBack) = account.take(status, hasSignIn: hasSignIn)
        switch status {
        case .available(let user):
            takeSeat(user)
            setbacks.succeeded(.account)
            if isBack {
                // What was refused or put off meanwhile was so for the account's sake.
                setbacks.releaseAll()
                setbacks.tryEverything()
            }
            try noteAccount(user, outcome)
            return .ready
        case .couldNotDetermine:
            guard case .failure(let error) = outcome else { break }
            setbacks.noteSilence(error)
            setbacks.failed(.account, after: error.retryAfter, pausing: .item, for: error.obstacle)
        case .noAccount, .restricted, .temporarilyUnavailable, .switched:
            setbacks.noteAnswer()
            environment.seat?.take(nil)
            setbacks.failed(.account, atLeast: .seconds(15))
        }
        if isNew {
            logger.warning("The account cannot be used", metadata: ["status": "\(status.word)"])
            events.noteFailure(of: .account, code: status.word, message: account.sentence ?? "")
        }
        return .waiting
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

    /// Finds out by the account whether the server is the one of before. Whether the zone is the same, the feed tells as ever: by
    /// its token, or by the records of a whole listing.
    /// - Returns: `false` where it is another one, with which all begins anew.
    private func isServerProven(by status: AccountStatus) throws -> Bool {
        guard account.isServerUnproven else { return true }
        switch status {
        case .available:
            try knowledge.confirmServer()
            account.noteServerProven()
            logger.notice("The server has another name than before, and the same account")
            return true
        case .switched:
            try knowledge.moveToOtherServer()
            account.noteServerProven()
            account.doubt()
            logger.warning("The folder is configured for another server than before; both sides are read anew")
            return false
        case .noAccount, .couldNotDetermine, .restricted, .temporarilyUnavailable: return true
        }
    }

    // MARK: Credentials

    /// Begins a change of the credentials: no answer to those of now is believed any more, so that the folder is not bound
    /// to one account while its requests go out with another one's. ``accountChanged()`` or ``accountStays()`` ends it.
    /// - Parameter userRecordName: Whose credentials come; `nil`: nobody's.
    /// - Throws: ``AccountChangeError`` where the folder was synced with another account: the requests of the cycle under
    ///   way would go on with credentials that lead into another one's zone.
    package func accountWillChange(to userRecordName: String?) throws {
        // Of another server, nobody is known yet.
        if let userRecordName, !account.isServerUnproven, let own = knowledge.facts.account,
            !own.utf8.elementsEqual(userRecordName.utf8)
        {
            throw AccountChangeError.otherAccount(userRecordName, own)
        }
        account.beginChange()
    }

    /// Ends a change of the credentials that could not be made.
    package func accountStays() {
        account.endChange(isGivenUp: true)
    }

    /// Asks anew who is signed in, at once.
    package func accountChanged() {
        account.endChange(isGivenUp: false)
        setbacks.forget(.account)
        inbox.doorbell.ring()
    }

    /// Who is signed in, as the server says, and whether a sign-in went with the question. An answer to credentials that were
    /// replaced meanwhile says nothing of the new ones: the question is asked again.
    nonisolated(nonsending) private func caller() async -> (Result<UserIdentity, CloudKitError>, hasSignIn: Bool) {
        while true {
            let generation = account.generation
            let outcome: Result<UserIdentity, CloudKitError>
            do {
                outcome = .success(try await environment.database.caller())
            } catch {
                outcome = .failure(error)
            }
            let hasSignIn = await environment.database.isSignedIn
            // While they change, requests wait for the new ones, so this is asked again once or twice at most.
            guard account.isStale(generation), !stop.isMade else { return (outcome, hasSignIn) }
        }
    }

    /// Asks who is signed in, after a refusal of the credentials.
    package func credentialsWereRefused() {
        // Where others came meanwhile, that is asked at once anyway.
        guard account.status != nil else { return }
        account.doubt()
        setbacks.failed(.account)
    }
}
