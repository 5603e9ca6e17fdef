import CloudKitClient
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
            try environment.store.confirmServer(FolderOrigin(environment.configuration))
            facts = try environment.store.facts()
            account.noteServerProven()
            logger.notice("The server has another name than before, and the same account")
            return true
        case .switched:
            try environment.store.moveOrigin(to: FolderOrigin(environment.configuration))
            try beginAnew()
            logger.warning("The folder is configured for another server than before; both sides are read anew")
            return false
        case .noAccount, .couldNotDetermine, .restricted, .temporarilyUnavailable: return true
        }
    }

    /// Takes over that the store has forgotten all that was known of another zone.
    private func beginAnew() throws {
        facts = try environment.store.facts()
        zoneFacts = try environment.store.zone(zoneKey)
        account.noteServerProven()
        account.doubt()
        sharing = ZoneSharing()
        schema = ZoneSchema()
        schema.declared = environment.declaredSchema.types
        trees = Self.emptyTrees(of: environment.configuration, in: environment.rowMemory)
        looks = OwedLooks()
        fetches = OwedFetches()
        restless = RestlessFiles()
        lackingTarget = []
        unanswered = UnansweredSaves()
        heldFiles = HeldFiles()
        lastPlan = Plan()
        storedAttention = StoredAttention()
    }
}
