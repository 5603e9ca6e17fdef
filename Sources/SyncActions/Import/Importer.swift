package import FolderKnowledge
package import FolderObserving
package import Logging
package import SessionCore
import SyncTiming
package import ZoneFetching

/// Brings the zone's changes into the folder.
package final class Importer {
    let environment: SessionEnvironment
    let logger: Logger
    let knowledge: Knowledge
    let setbacks: Setbacks
    let committer: Committer
    let conflictCopies: ConflictCopies
    let observer: FolderObserver
    let fetches: OwedFetches
    let fetcher: ZoneFetcher
    let work: PlannedWork
    let progress: ProgressMeter
    let stop: StopRequest
    /// What the store has of versions that were about to be written; nobody knows at a start.
    var written = Written.unread

    enum Written {
        case none
        /// Whatever stands whole in the folder is still to be adopted.
        case unread
        /// It was adopted; what is half there is still to be taken back.
        case adopted
    }

    /// Writes by the environment's writer, and into the trees by the committer.
    package init(
        _ environment: SessionEnvironment, knowledge: Knowledge, setbacks: Setbacks, committer: Committer,
        conflictCopies: ConflictCopies, observer: FolderObserver, fetches: OwedFetches, fetcher: ZoneFetcher,
        work: PlannedWork, progress: ProgressMeter, stop: StopRequest, logger: Logger
    ) {
        (self.environment, self.knowledge, self.setbacks) = (environment, knowledge, setbacks)
        (self.committer, self.conflictCopies, self.observer) = (committer, conflictCopies, observer)
        (self.fetches, self.fetcher, self.work) = (fetches, fetcher, work)
        (self.progress, self.stop, self.logger) = (progress, stop, logger)
    }

    var now: SteadyInstant { environment.clock.now }
}
