import CloudKitClient
import CloudKitWire
import StateStorage

/// Credentials that change while the session runs.
extension FolderSession {
    /// - Throws: ``AccountChangeError`` where the folder was synced with another account: the requests of the cycle under
    ///   way would go on with credentials that lead into another one's zone.
    func checkBelongs(to userRecordName: String) throws {
        guard let own = facts.account, !own.utf8.elementsEqual(userRecordName.utf8) else { return }
        throw AccountChangeError.otherAccount(userRecordName, own)
    }

    /// Asks anew who is signed in, at once.
    func accountChanged() {
        accountGeneration += 1
        account = nil
        retry.forget(.account)
        inbox.doorbell.ring()
    }

    /// Who is signed in, as the server says. An answer to credentials that were replaced meanwhile says nothing of the new
    /// ones: the question is asked again.
    func caller() async -> Result<UserIdentity, CloudKitError> {
        while true {
            let generation = accountGeneration
            let outcome: Result<UserIdentity, CloudKitError>
            do {
                outcome = .success(try await environment.database.caller())
            } catch {
                outcome = .failure(error)
            }
            guard generation != accountGeneration, !isStopping else { return outcome }
        }
    }

    /// Asks who is signed in, after a refusal of the credentials.
    func credentialsWereRefused() {
        // Where others came meanwhile, that is asked at once anyway.
        guard account != nil else { return }
        account = nil
        waitAfterFailure(.account, after: nil, pausing: .item)
    }
}
