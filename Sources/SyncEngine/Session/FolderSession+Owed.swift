import CloudKitClient
import StateStorage
import SyncPlanning

/// What is still to be asked of the server.
extension FolderSession {
    /// Asks for what changed in the database until now.
    func oweDatabaseFetch() {
        oweDatabaseFetch(after: feed?.begun ?? 0)
    }

    /// Asks for what a reading of the database's feed says that is later than this one.
    func oweDatabaseFetch(after reading: Int) {
        owed.databaseReading = owed.databaseFetch ? max(owed.databaseReading, reading) : reading
        owed.databaseFetch = true
    }

    /// Notes what the pushes ask for that came meanwhile.
    func takePushes() {
        takeNetworkNews()
        if inbox.takeSubscriptionDoubt() { owed.subscriptionLook = true }
        if inbox.takeHeardPush() { unannouncedChanges = 0 }
        let pushes = inbox.takePushes()
        if pushes.isOfZone { owed.zoneFetch = true }
        guard let reading = pushes.isOfDatabase else { return }
        oweDatabaseFetch(after: reading)
        // A zone that was not there may be shared now.
        if isShared, !zoneFacts.created { retry.forget(.zone) }
    }
}
