package import FolderControl
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
extension FolderSession {
    /// Whether a person wants no syncing now.
    var isPaused: Bool { knowledge.isPaused(at: environment.clock.milliseconds) }

    /// When the pause that goes on ends by itself, or the one of before is to be forgotten.
    var pauseEnd: SteadyInstant? {
        switch knowledge.facts.pause?.standing(at: environment.clock.milliseconds) {
        case nil, .holds(nil): nil
        case .holds(let left?): now.advanced(by: left)
        case .beginsAnew, .over: now
        }
    }

    /// Goes on where the time of a pause is up.
    func followPause() throws {
        switch knowledge.facts.pause?.standing(at: environment.clock.milliseconds) {
        case nil, .holds: break
        case .beginsAnew(let pause): try knowledge.updateFacts { $0.pause = pause }
        case .over:
            logger.notice("The pause has ended, as it was to")
            try endPause()
        }
    }

    /// Begins a pause, or gives the one that goes on another end. What is under way comes to a safe state first.
    /// - Parameters:
    ///   - length: `nil`: only a person ends it.
    ///   - patience: How long that is waited for.
    package func pause(for length: Duration?, patience: Duration = .seconds(10)) async throws -> PauseOutcome {
        let pause = FolderPause(at: environment.clock.milliseconds, for: length, after: knowledge.facts.pause)
        try knowledge.updateFacts { $0.pause = pause }
        logger.notice("Syncing is paused")
        // Pushes are not waited for: at the end everything is asked for.
        environment.seat?.take(nil)
        let isAtRest = await isAtRest(within: patience)
        return PauseOutcome(
            sinceMilliseconds: pause.sinceMilliseconds, untilMilliseconds: pause.untilMilliseconds, isAtRest: isAtRest)
    }

    /// Ends a pause; `false` where none went on.
    package func resume() throws -> Bool {
        let wasPaused = isPaused
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

    // MARK: Coming to rest

    /// Whether no cycle goes on, or the one that did came to its end in time.
    private func isAtRest(within limit: Duration) async -> Bool {
        inbox.doorbell.ring()
        guard isWorking else { return true }
        return await withCheckedContinuation { continuation in
            let number = waiters.waitForRest(continuation)
            later(limit) { $0.waiters.giveUpRest(number) }
        }
    }

    /// Does something once a time has passed. Never cancelled.
    func later(_ time: Duration, _ act: @escaping @Sendable (isolated FolderSession) -> Void) {
        Task(executorPreference: environment.executor) {
            try? await self.environment.clock.sleep(time)
            await act(self)
        }
    }
}
