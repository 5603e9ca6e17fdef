import CloudKitClient
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
        account = nil
        retry.forget(.account)
        inbox.doorbell.ring()
    }
}
