import CloudKitClient
import CloudKitWire
import FolderControl
import FolderKnowledge
import StateStorage
import SyncTiming

/// Credentials that change while the session runs.
extension FolderSession {
    /// Begins a change of the credentials: no answer to those of now is believed any more, so that the folder is not bound
    /// to one account while its requests go out with another one's. ``accountChanged()`` or ``accountStays()`` ends it.
    /// - Parameter userRecordName: Whose credentials come; `nil`: nobody's.
    /// - Throws: ``AccountChangeError`` where the folder was synced with another account: the requests of the cycle under
    ///   way would go on with credentials that lead into another one's zone.
    func accountWillChange(to userRecordName: String?) throws {
        // Of another server, nobody is known yet.
        if let userRecordName, !account.isServerUnproven, let own = knowledge.facts.account,
            !own.utf8.elementsEqual(userRecordName.utf8)
        {
            throw AccountChangeError.otherAccount(userRecordName, own)
        }
        account.beginChange()
    }

    /// Ends a change of the credentials that could not be made.
    func accountStays() {
        account.endChange(isGivenUp: true)
    }

    /// Asks anew who is signed in, at once.
    func accountChanged() {
        account.endChange(isGivenUp: false)
        retry.forget(.account)
        inbox.doorbell.ring()
    }

    /// Who is signed in, as the server says. An answer to credentials that were replaced meanwhile says nothing of the new
    /// ones: the question is asked again.
    func caller() async -> Result<UserIdentity, CloudKitError> {
        while true {
            let generation = account.generation
            let outcome: Result<UserIdentity, CloudKitError>
            do {
                outcome = .success(try await environment.database.caller())
            } catch {
                outcome = .failure(error)
            }
            // While they change, requests wait for the new ones, so this is asked again once or twice at most.
            guard account.isStale(generation), !isStopping else { return outcome }
        }
    }

    /// Asks who is signed in, after a refusal of the credentials.
    func credentialsWereRefused() {
        // Where others came meanwhile, that is asked at once anyway.
        guard account.status != nil else { return }
        account.doubt()
        waitAfterFailure(.account, after: nil, pausing: .item)
    }
}
