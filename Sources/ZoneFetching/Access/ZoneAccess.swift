import CloudKitWire
package import FolderKnowledge
package import Logging
import RemoteZone
package import SessionCore
package import StateRows

/// The way to the zone: account, zone and subscription, and what a request that failed says of them.
package final class ZoneAccess {
    let environment: SessionEnvironment
    let inbox: Inbox
    let logger: Logger
    let knowledge: Knowledge
    let setbacks: Setbacks
    let events: EventRecorder
    let fetches: OwedFetches
    package let account: SessionAccount
    let stop: StopRequest

    /// Nothing is asked of the server yet.
    package init(
        _ environment: SessionEnvironment, inbox: Inbox, knowledge: Knowledge, setbacks: Setbacks,
        events: EventRecorder, fetches: OwedFetches, account: SessionAccount, stop: StopRequest, logger: Logger
    ) {
        (self.environment, self.inbox, self.knowledge, self.setbacks) = (environment, inbox, knowledge, setbacks)
        (self.events, self.fetches, self.account) = (events, fetches, account)
        (self.stop, self.logger) = (stop, logger)
    }

    /// Asks for what changed in the database until now.
    package func oweDatabaseFetch() {
        oweDatabaseFetch(after: account.feed?.begun ?? 0)
    }

    /// Asks for what a reading of the database's feed says that is later than this one.
    func oweDatabaseFetch(after reading: Int) {
        fetches.oweDatabase(after: reading)
    }

    /// Notes what the pushes ask for that came meanwhile.
    package func takePushes() {
        if let news = inbox.news.takeNetworkNews() {
            setbacks.take(news)
            // What was pushed meanwhile may be lost.
            if news == .returned { oweDatabaseFetch() }
        }
        if inbox.news.takeSubscriptionDoubt() { fetches.doubtSubscription() }
        if inbox.news.takeHeardPush() { fetches.notePush() }
        let pushes = inbox.news.takePushes()
        if pushes.isOfZone { fetches.oweZone() }
        guard let reading = pushes.isOfDatabase else { return }
        oweDatabaseFetch(after: reading)
        // A zone that was not there may be shared now.
        if knowledge.isShared, !knowledge.zoneFacts.created { setbacks.forget(.zone) }
    }

    // MARK: A zone that is lost

    /// The server has the zone no longer.
    package func zoneIsGone(_ loss: ZoneLoss = .missing) {
        do {
            try knowledge.lose(loss)
        } catch {
            // It turns out again with the next fetch.
            logger.error("The loss of the zone could not be stored", metadata: ["error": "\(error)"])
            return
        }
        noteZoneIsGone()
    }

    /// Takes over that the store has noted the loss.
    func noteZoneIsGone() {
        oweDatabaseFetch()
        logger.warning("The zone is gone; its files are kept", metadata: ["zone": "\(knowledge.zoneID.zoneName)"])
    }
}
