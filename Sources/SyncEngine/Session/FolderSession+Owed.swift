import CloudKitClient
import FolderKnowledge
import RemoteZone
import StateStorage
import SyncPlanning

/// What is still to be looked at, and to be asked of the server.
extension FolderSession {
    /// Looks at both sides as a whole, as at the start.
    func oweEverything() {
        looks.oweAll()
        fetches.oweAll()
    }

    /// Asks for what changed in the database until now.
    func oweDatabaseFetch() {
        oweDatabaseFetch(after: account.feed?.begun ?? 0)
    }

    /// Asks for what a reading of the database's feed says that is later than this one.
    func oweDatabaseFetch(after reading: Int) {
        fetches.oweDatabase(after: reading)
    }

    /// Notes what the pushes ask for that came meanwhile.
    func takePushes() {
        takeNetworkNews()
        if inbox.news.takeSubscriptionDoubt() { fetches.doubtSubscription() }
        if inbox.news.takeHeardPush() { fetches.notePush() }
        let pushes = inbox.news.takePushes()
        if pushes.isOfZone { fetches.oweZone() }
        guard let reading = pushes.isOfDatabase else { return }
        oweDatabaseFetch(after: reading)
        // A zone that was not there may be shared now.
        if isShared, !knowledge.zoneFacts.created { retry.forget(.zone) }
    }
}
