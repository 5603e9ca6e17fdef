import FolderKnowledge
import Logging
import RemoteZone
import SessionCore
import StateRows
import SyncTiming
import ZoneFetching

/// A person's pause: the folder is looked at, and nothing is sent, fetched or written.
///
/// What a program wrote into a file that had been replaced before is rescued all the same: that is no syncing.
final class SessionPause {
    private let environment: SessionEnvironment
    private let inbox: Inbox
    private let knowledge: Knowledge
    private let setbacks: Setbacks
    private let access: ZoneAccess
    private let logger: Logger

    init(
        _ environment: SessionEnvironment, inbox: Inbox, knowledge: Knowledge, setbacks: Setbacks, access: ZoneAccess,
        logger: Logger
    ) {
        (self.environment, self.inbox, self.knowledge) = (environment, inbox, knowledge)
        (self.setbacks, self.access, self.logger) = (setbacks, access, logger)
    }

    /// Whether a person wants no syncing now.
    var isOn: Bool { knowledge.isPaused(at: environment.clock.milliseconds) }

    /// When the pause that goes on ends by itself, or the one of before is to be forgotten.
    var end: SteadyInstant? {
        switch knowledge.facts.pause?.standing(at: environment.clock.milliseconds) {
        case nil, .holds(nil): nil
        case .holds(let left?): environment.clock.now.advanced(by: left)
        case .beginsAnew, .over: environment.clock.now
        }
    }

    /// Goes on where the time of a pause is up.
    func follow() throws {
        switch knowledge.facts.pause?.standing(at: environment.clock.milliseconds) {
        case nil, .holds: break
        case .beginsAnew(let pause): try knowledge.updateFacts { $0.pause = pause }
        case .over:
            logger.notice("The pause has ended, as it was to")
            try endPause()
        }
    }

    /// Begins a pause, or gives the one that goes on another end.
    /// - Parameter length: `nil`: only a person ends it.
    func begin(for length: Duration?) throws -> FolderPause {
        let pause = FolderPause(at: environment.clock.milliseconds, for: length, after: knowledge.facts.pause)
        try knowledge.updateFacts { $0.pause = pause }
        logger.notice("Syncing is paused")
        // Pushes are not waited for: at the end everything is asked for.
        environment.seat?.take(nil)
        inbox.doorbell.ring()
        return pause
    }

    /// Ends a pause; `false` where none went on.
    func resume() throws -> Bool {
        let wasPaused = isOn
        if knowledge.facts.pause != nil { try endPause() }
        if wasPaused { logger.notice("Syncing goes on, as a person wants it") }
        return wasPaused
    }

    private func endPause() throws {
        try knowledge.updateFacts { $0.pause = nil }
        // Asked for anew, and with it the place at the database's feed is taken again.
        access.account.doubt()
        setbacks.forget(.account)
        access.oweDatabaseFetch()
        inbox.doorbell.ring()
    }
}
