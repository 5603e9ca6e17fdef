package import FolderControl
import FolderObserving
import FolderWriting
import Logging
import RemoteZone
import SessionCore
import SyncActions
import SyncTiming
import ZoneFetching

/// What the session answers to those who ask how the folder stands, what would be done, and to let something pass.
extension FolderSession {
    /// Whether everything that was saved before this call is known, done or waiting: a cookie left in the state
    /// directory came back from the watcher. `false` where it did not within two seconds.
    func hasCaughtUp() async -> Bool {
        let writer = environment.writer
        do {
            return try await inbox.hasCaughtUp(within: .seconds(2)) { name in
                try writer.dropCookie(named: name)
            }
        } catch {
            logger.warning("It cannot be told what was not seen yet", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// The report for `status`, which says "in sync" only of what was asked for after the question: every save before it
    /// was seen, and what the server had by then is known.
    ///
    /// - Parameter isOfPath: Whether that is asked for of one file: there the folder's verdict can hide that it is not known.
    package func currentReport(
        daemon: StatusReport.Daemon, watch: @Sendable () -> StatusReport.Watch?, isOfPath: Bool = false
    ) async -> StatusReport {
        let hasCaughtUp = await hasCaughtUp()
        let report = reporter.reportOrFailure(
            daemon: daemon, watch: watch(), isWorking: isWorking, hasCaughtUp: hasCaughtUp)
        // What is under way may be nothing but the fetch that somebody else's question asked for.
        guard report.verdict == .inSync || waiters.isFetchAwaited || isOfPath else { return report }
        let hasFetched = await hasFetchedAnew(within: .seconds(2))
        var current = reporter.reportOrFailure(
            daemon: daemon, watch: watch(), isWorking: isWorking, hasCaughtUp: hasCaughtUp && hasFetched)
        if isOfPath {
            let hasSeenAll = !inbox.isWaiting && observer.looks.isEmpty
            current.isCurrent = hasCaughtUp && hasFetched && hasSeenAll
        }
        return current
    }

    /// Whether the server was asked after this call what changed, and what it said was acted on; `false` where that was
    /// not done in time.
    private func hasFetchedAnew(within limit: Duration) async -> Bool {
        access.oweDatabaseFetch()
        inbox.doorbell.ring()
        return await withCheckedContinuation { continuation in
            let number = waiters.waitForFetch(continuation)
            later(limit) { $0.waiters.giveUpFetch(number) }
        }
    }

    /// What would be done now.
    package func plannedSteps() -> [PlannedStep] { reporter.plannedSteps() }

    /// Lets a batch pass and goes on; `false` where no such batch waits.
    package func approved(_ batch: String) -> Bool {
        do {
            guard try attention.approve(batch) else { return false }
        } catch {
            logger.error("The approval could not be stored", metadata: ["error": "\(error)"])
            return false
        }
        inbox.doorbell.ring()
        return true
    }

    /// The report of the moment at which everything that was saved before this call was looked at, the zone was fetched
    /// after it, and what can be done is done: a later one could fall into the next poll. After the timeout, and without one
    /// once the server was tried in vain, it says that nothing is proven.
    package func settledReport(
        daemon: StatusReport.Daemon, watch: @escaping @Sendable () -> StatusReport.Watch?, timeout: Duration?
    ) async -> StatusReport {
        observer.looks.oweAll()
        access.oweDatabaseFetch()
        fetches.oweZone()
        setbacks.releaseAll()
        setbacks.tryEverything()
        if !isPaused { environment.network?.tryNow(server) }
        if !access.account.isUsable { access.account.doubt() }
        let question = SessionWaiters.Question(asked: now, isLimited: timeout != nil, daemon: daemon, watch: watch)
        inbox.doorbell.ring()
        return await withCheckedContinuation { continuation in
            let number = waiters.waitForSettling(question, continuation)
            guard let timeout else { return }
            later(timeout) { session in session.waiters.giveUpSettling(number) { session.answer(to: $0) } }
        }
    }

    private func answer(to question: SessionWaiters.Question) -> StatusReport {
        let isProven = isQuiet && !inbox.isWaiting
        // What only a person can mend would be no other after a longer wait.
        var report = reporter.reportOrFailure(
            daemon: question.daemon, watch: question.watch(), isWorking: isWorking, hasCaughtUp: true,
            isSettled: isProven,
            isUnproven: !isProven && !isStuck)
        report.isCurrent = isProven
        return report
    }

    /// Whether nothing goes on before a person has done something. What the server does not answer may be no more so.
    private var isStuck: Bool {
        access.account.needsPerson || setbacks.isOnline && setbacks.trouble.hasRefusals || !observer.isRootSafe
            || isPaused
            || attention.stateProblem != nil
    }

    /// Whether the server was tried after a moment, and gave no answer.
    private func isSilent(since asked: SteadyInstant) -> Bool {
        if let silence = setbacks.trouble.silence, silence.last >= asked { return true }
        return environment.network?.outage(of: server).map { $0.outage.last >= asked } ?? false
    }

    /// Lets those go on who wait for the folder to settle or for a fetch, where it has come, or will not.
    /// - Parameter isEnding: Whether no cycle comes after this one.
    func answerWaiters(isEnding: Bool = false) {
        waiters.answer(
            isOver: isEnding || isStuck || isQuiet && !inbox.isWaiting, isSilent: { isSilent(since: $0) },
            report: { answer(to: $0) })
        waiters.finishFetch(
            isDone: fetches.isEmpty, isHopeless: isEnding || !setbacks.isOnline || isPaused)
    }

    // MARK: Credentials

    /// Begins a change of the credentials (``ZoneAccess/accountWillChange(to:)``).
    package func accountWillChange(to userRecordName: String?) throws {
        try access.accountWillChange(to: userRecordName)
    }

    /// Ends a change of the credentials that could not be made.
    package func accountStays() { access.accountStays() }

    /// Ends a change of the credentials: asks anew who is signed in, at once.
    package func accountChanged() { access.accountChanged() }

    /// Puts back what a batch of deletions would take, and goes on (``Attention/reject(_:)``).
    package func rejected(_ batch: String) throws -> Bool {
        guard try attention.reject(batch) else { return false }
        inbox.doorbell.ring()
        return true
    }

    /// The report for `status` by what is known now (``StatusReporter/report(daemon:watch:isWorking:hasCaughtUp:isSettled:isUnproven:)``).
    package func report(
        daemon: StatusReport.Daemon?, watch: StatusReport.Watch?, hasCaughtUp: Bool = true
    ) throws -> StatusReport {
        try reporter.report(daemon: daemon, watch: watch, isWorking: isWorking, hasCaughtUp: hasCaughtUp)
    }

    /// The report after a look at the folder alone.
    package func lookedReport() async throws -> StatusReport {
        observer.checkRoot()
        try await observer.observe()
        work.planAfterLook()
        return try report(daemon: nil, watch: nil)
    }

    /// The report by what is known now; where there is none, it says why.
    package func knownReport(daemon: StatusReport.Daemon, watch: StatusReport.Watch?) -> StatusReport {
        reporter.reportOrFailure(daemon: daemon, watch: watch, isWorking: isWorking, hasCaughtUp: true)
    }

    /// What this session did, with its waits.
    package var workDone: StatusReport.Work { reporter.workDone }
}
