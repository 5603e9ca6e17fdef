package import FolderKnowledge
package import FolderObserving
package import Logging
package import SessionCore
import SyncTiming

/// Asks the server what changed in the zone, and takes it into the remote tree.
package final class ZoneFetcher {
    let environment: SessionEnvironment
    let inbox: Inbox
    let logger: Logger
    let knowledge: Knowledge
    let setbacks: Setbacks
    let events: EventRecorder
    let fetches: OwedFetches
    let access: ZoneAccess
    let observer: FolderObserver
    let committer: Committer
    let lastTimes: LastTimes

    /// Asks by the way that ``ZoneAccess`` has made ready.
    package init(
        _ environment: SessionEnvironment, inbox: Inbox, knowledge: Knowledge, setbacks: Setbacks,
        events: EventRecorder, fetches: OwedFetches, access: ZoneAccess, observer: FolderObserver,
        committer: Committer, lastTimes: LastTimes, logger: Logger
    ) {
        (self.environment, self.inbox, self.knowledge, self.setbacks) = (environment, inbox, knowledge, setbacks)
        (self.events, self.fetches, self.access, self.observer) = (events, fetches, access, observer)
        (self.committer, self.lastTimes, self.logger) = (committer, lastTimes, logger)
    }

    var now: SteadyInstant { environment.clock.now }
}
