package import FolderControl
import FolderHistory
import FolderKnowledge
import FolderObserving
public import Logging
import ProblemSentences
import RecordTrees
import RemoteZone
public import SessionCore
import StateRows
import SyncActions
import SyncTiming
import ZoneFetching

/// Keeps one folder and one zone the same: looks, fetches, plans, acts, commits, and begins anew.
///
/// A cycle keeps the order account, zone, subscription, database changes, zone changes, local changes; nothing is sent
/// before the first fetch. What is known is in the three trees and in the state store; what is to be done is computed
/// from them each time, so that a crash needs no recovery of its own.
///
/// Everything that waits for work, waits in ``run()``; every other method does its work and returns, or waits for an answer.
public actor FolderSession {
    private let parts: SessionParts

    /// Opens nothing and sends nothing; the trees are read from the store.
    public init(_ environment: SessionEnvironment, inbox: Inbox, logger: Logger) throws {
        parts = try SessionParts(environment, inbox: inbox, logger: logger)
    }

    /// What it is made of, for what a person says to it, and for tests to look into.
    var inside: SessionParts { parts }

    /// Syncs until the task is cancelled or ``stop(toReload:)`` is called.
    public func run() async {
        while !Task.isCancelled, !isStopping {
            await cycle()
            parts.answers.answerWaiters()
            guard !isStopping else { break }
            if parts.lastTimes.hasFirstLook { storeTimes() }
            parts.memory.release()
            await parts.inbox.doorbell.wait(until: parts.next.moment(), on: parts.environment.clock)
        }
        parts.answers.answerWaiters(isEnding: true)
        storeTimes()
    }

    /// Keeps for `status` without a daemon what was last done.
    private func storeTimes() {
        do {
            try parts.knowledge.updateFacts { parts.lastTimes.put(into: &$0) }
        } catch {
            parts.logger.warning("The time of the last fetch could not be stored", metadata: ["error": "\(error)"])
        }
    }

    /// Goes through one cycle after another until nothing is left that can be done now.
    public func settle() async {
        parts.observer.looks.oweAll()
        parts.fetches.oweAll()
        parts.access.oweDatabaseFetch()
        await cycleUntilQuiet()
        if !isStopping, parts.lastTimes.isSentAfterFetch {
            // A server that was restored from a backup knows a token of before: it is to be one that has what was sent.
            parts.fetches.oweZone()
            await cycleUntilQuiet()
        }
        storeTimes()
    }

    private func cycleUntilQuiet() async {
        for _ in 0..<Self.longestSettling {
            await cycle()
            if isStopping || parts.next.isQuiet && !parts.inbox.isWaiting { break }
            guard let wait = parts.next.wait(), wait < Self.longestSettlingWait else { break }
            await parts.inbox.doorbell.wait(timeout: wait, on: parts.environment.clock)
        }
    }

    static let longestSettling = 1000
    /// A deletion waits so long at most; a back-off that has grown longer is not waited for.
    static let longestSettlingWait = Duration.seconds(4)

    /// Ends ``run()`` once the current step is in a safe state.
    /// - Parameter toReload: Whether it was asked for so that the folder is opened again by another configuration.
    public func stop(toReload: Bool = false) {
        parts.stop.make(toReload: toReload)
        parts.inbox.doorbell.ring()
    }

    /// Whether the session is to end.
    package var isStopping: Bool { parts.stop.isMade }

    /// Whether the folder is to be opened again after its end.
    package var isReloading: Bool { parts.stop.isToReload }

    /// Returns as soon as the session has nothing else in hand that it cannot put aside.
    package func answer() {}

    /// One cycle, in the order that the design gives.
    func cycle() async {
        guard !isStopping else { return }
        parts.history.lookAfter(at: parts.environment.clock.now) { parts.knowledge.trees.record(at: $0) }
        parts.observer.checkRoot()
        guard parts.areInPlace() else { return }
        // The folder is looked at also while the database waits.
        guard parts.setbacks.ownNext(for: .state).map({ $0 <= parts.environment.clock.now }) ?? true else { return }
        parts.answers.cycleBegins()
        defer { parts.answers.cycleEnds() }
        do {
            try parts.pause.follow()
            try await parts.observer.observe()
            parts.answers.answerLooks()
            guard !isStopping else { return }
            try parts.runner.adoptWritten()
            if parts.pause.isOn {
                // What is to be done is seen and told; what came meanwhile is asked for at the end.
                try parts.runner.tell()
            } else {
                parts.access.takePushes()
                guard try await isReady(), try await parts.fetcher.fetch() else { return try parts.runner.tell() }
                try await parts.runner.run()
            }
            parts.setbacks.forget(.state)
            parts.attention.note(stateProblem: nil)
        } catch {
            parts.attention.note(stateProblem: .stateUnusable(error))
            parts.logger.error(
                "The state could not be stored; nothing goes on until it can", metadata: ["error": "\(error)"])
            parts.setbacks.failed(.state)
        }
    }

    /// Whether the zone may be asked: account, zone and subscription are there.
    private func isReady() async throws -> Bool {
        guard parts.observer.isRootSafe else { return false }
        switch try await parts.access.makeReady() {
        case .ready: return true
        case .waiting: return false
        case .elsewhere:
            beginAnew()
            return false
        }
    }

    /// Forgets what was to be done for another zone.
    private func beginAnew() {
        parts.observer.beginAnew()
        parts.fetches.beginAnew()
        parts.attention.beginAnew()
        parts.work.forgetPlan()
    }

    // MARK: What people ask for

    /// The report for `status`, which says "in sync" only of what was asked for after the question: every save before it
    /// was seen, and what the server had by then is known.
    ///
    /// - Parameter isOfPath: Whether that is asked for of one file: there the folder's verdict can hide that it is not known.
    package func currentReport(
        daemon: StatusReport.Daemon, watch: @Sendable () -> StatusReport.Watch?, isOfPath: Bool = false
    ) async -> StatusReport {
        await parts.answers.currentReport(daemon: daemon, watch: watch, isOfPath: isOfPath, of: self)
    }

    /// The report of the moment at which everything that was saved before this call was looked at, the zone was fetched
    /// after it, and what can be done is done: a later one could fall into the next poll. After the timeout, and without one
    /// once the server was tried in vain, it says that nothing is proven.
    package func settledReport(
        daemon: StatusReport.Daemon, watch: @escaping @Sendable () -> StatusReport.Watch?, timeout: Duration?
    ) async -> StatusReport {
        await parts.answers.settledReport(daemon: daemon, watch: watch, timeout: timeout, of: self)
    }

    /// Ends somebody's wait in vain.
    func giveUp(_ wait: SessionWaiters.Wait) { parts.answers.giveUp(wait) }

    /// The report by what is known now.
    package func report(
        daemon: StatusReport.Daemon?, watch: StatusReport.Watch?, hasCaughtUp: Bool = true
    ) throws -> StatusReport {
        try parts.answers.report(daemon: daemon, watch: watch, hasCaughtUp: hasCaughtUp)
    }

    /// The same; where there is none, it says why.
    package func knownReport(daemon: StatusReport.Daemon, watch: StatusReport.Watch?) -> StatusReport {
        parts.answers.knownReport(daemon: daemon, watch: watch)
    }

    /// The report after a look at the folder alone.
    package func lookedReport() async throws -> StatusReport {
        parts.observer.checkRoot()
        try await parts.observer.observe()
        parts.work.planAfterLook()
        return try report(daemon: nil, watch: nil)
    }

    /// What would be done by what is known now.
    package func knownPlan() -> PlanReport { parts.answers.knownPlan() }

    /// What would be done now: what was saved before this call is looked at first, for some seconds.
    package func currentPlan() async -> PlanReport { await parts.answers.currentPlan(of: self) }

    /// What this session did, with its waits.
    package var workDone: StatusReport.Work { parts.answers.workDone }

    /// Begins a change of the credentials (``ZoneAccess/accountWillChange(to:)``).
    package func accountWillChange(to userRecordName: String?) throws {
        try parts.access.accountWillChange(to: userRecordName)
    }

    /// Ends a change of the credentials that could not be made.
    package func accountStays() { parts.access.accountStays() }

    /// Ends a change of the credentials: asks anew who is signed in, at once.
    package func accountChanged() { parts.access.accountChanged() }
}
