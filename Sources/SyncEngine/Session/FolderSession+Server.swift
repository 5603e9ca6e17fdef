import CloudKitClient
import FolderKnowledge
import Logging
import RecordMapping
import StateStorage
import SyncModel
import SyncPlanning

/// A server that `config.toml` has come to call otherwise.
extension FolderSession {
    /// Finds out by the account whether the server is the one of before. Whether the zone is the same, the feed tells as ever: by
    /// its token, or by the records of a whole listing.
    /// - Returns: `false` where it is another one, with which all begins anew.
    func isServerProven(by status: AccountStatus) throws -> Bool {
        guard account.isServerUnproven else { return true }
        switch status {
        case .available:
            try knowledge.confirmServer()
            account.noteServerProven()
            logger.notice("The server has another name than before, and the same account")
            return true
        case .switched:
            try knowledge.moveToOtherServer()
            beginAnew()
            logger.warning("The folder is configured for another server than before; both sides are read anew")
            return false
        case .noAccount, .couldNotDetermine, .restricted, .temporarilyUnavailable: return true
        }
    }

    /// Forgets what was to be done for another zone.
    private func beginAnew() {
        account.noteServerProven()
        account.doubt()
        looks = OwedLooks()
        fetches = OwedFetches()
        restless = RestlessFiles()
        heldFiles = HeldFiles()
        lastPlan = Plan()
        storedAttention = StoredAttention()
    }
}
