import CloudKitClient
import FolderControl
import FolderObserving
import FolderWriting
import Logging
import RemoteZone
import SessionCore
import SyncTiming
import ZoneFetching

/// What a session answers to those who ask how the folder stands, at once or when they have waited for it.
///
/// All of it is called on the session, which goes on while somebody waits.
final class SessionAnswers {
    private let environment: SessionEnvironment
    private let inbox: Inbox
    private let server: ServerOrigin?
    private let setbacks: Setbacks
    private let observer: FolderObserver
    private let fetches: OwedFetches
    private let access: ZoneAccess
    private let attention: Attention
    private let reporter: StatusReporter
    private let pause: SessionPause
    private let next: NextWork
    private let logger: Logger
    private var waiters = SessionWaiters()
    /// Whether a cycle goes on.
    private var isWorking = false

    init(
        _ environment: SessionEnvironment, inbox: Inbox, server: ServerOrigin?, setbacks: Setbacks,
        observer: FolderObserver, fetches: OwedFetches, access: ZoneAccess, attention: Attention,
        reporter: StatusReporter, pause: SessionPause, next: NextWork, logger: Logger
    ) {
        (self.environment, self.inbox, self.server, self.setbacks) = (environment, inbox, server, setbacks)
        (self.observer, self.fetches, self.access, self.attention) = (observer, fetches, access, attention)
        (self.reporter, self.pause, self.next, self.logger) = (reporter, pause, next, logger)
    }

    func cycleBegins() { isWorking = true }

    func cycleEnds() {
        isWorking = false
        waiters.rest()
    }

    // MARK: At once

    /// The report by what is known now.
    func report(
        daemon: StatusReport.Daemon?, watch: StatusReport.Watch?, hasCaughtUp: Bool = true
    ) throws -> StatusReport {
        try reporter.report(daemon: daemon, watch: watch, isWorking: isWorking, hasCaughtUp: hasCaughtUp)
    }

    /// The same; where there is none, it says why.
    func knownReport(daemon: StatusReport.Daemon, watch: StatusReport.Watch?) -> StatusReport {
        reporter.reportOrFailure(daemon: daemon, watch: watch, isWorking: isWorking, hasCaughtUp: true)
    }

    /// What would be done by what is known now.
    func knownPlan() -> PlanReport { PlanReport(steps: reporter.plannedSteps(), isCurrent: hasSeenAll) }

    /// What this session did, with its waits.
    var workDone: StatusReport.Work { reporter.workDone }

    // MARK: After a wait

    /// The report for `status`, which says "in sync" only of what was asked for after the question: every save before it
    /// was seen, and what the server had by then is known.
    ///
    /// - Parameter isOfPath: Whether that is asked for of one file: there the folder's verdict can hide that it is not known.
    nonisolated(nonsending) func currentReport(
        daemon: StatusReport.Daemon, watch: @Sendable () -> StatusReport.Watch?, isOfPath: Bool,
        of session: FolderSession
    ) async -> StatusReport {
        let hasCaughtUp = await hasCaughtUp()
        let report = reporter.reportOrFailure(
            daemon: daemon, watch: watch(), isWorking: isWorking, hasCaughtUp: hasCaughtUp)
        // What is under way may be nothing but the fetch that somebody else's question asked for.
        guard report.verdict == .inSync || waiters.isFetchAwaited || isOfPath else { return report }
        let hasFetched = await hasFetchedAnew(within: .seconds(2), session)
        var current = reporter.reportOrFailure(
            daemon: daemon, watch: watch(), isWorking: isWorking, hasCaughtUp: hasCaughtUp && hasFetched)
        if isOfPath {
            current.isCurrent = hasCaughtUp && hasFetched && hasSeenAll
        }
        return current
    }

    /// The report of the moment at which everything that was saved before this call was looked at, the zone was fetched
    /// after it, and what can be done is done: a later one could fall into the next poll. After the timeout, and without one
    /// once the server was tried in vain, it says that nothing is proven.
    nonisolated(nonsending) func settledReport(
        daemon: StatusReport.Daemon, watch: @escaping @Sendable () -> StatusReport.Watch?, timeout: Duration?,
        of session: FolderSession
    ) async -> StatusReport {
        observer.looks.oweAll()
        access.oweDatabaseFetch()
        fetches.oweZone()
        setbacks.releaseAll()
        setbacks.tryEverything()
        if !pause.isOn { environment.network?.tryNow(server) }
        if !access.account.isUsable { access.account.doubt() }
        let question = SessionWaiters.Question(
            asked: environment.clock.now, isLimited: timeout != nil, daemon: daemon, watch: watch)
        inbox.doorbell.ring()
        return await withCheckedContinuation { continuation in
            let number = waiters.waitForSettling(question, continuation)
            guard let timeout else { return }
            giveUp(.settling(number), after: timeout, session)
        }
    }

    /// What would be done now: everything that was saved before this call was looked at, where that comes to its end within
    /// five seconds. That a file is gone is looked at after four.
    nonisolated(nonsending) func currentPlan(of session: FolderSession) async -> PlanReport {
        let hasCaughtUp = await hasCaughtUp()
        var plan = knownPlan()
        guard !plan.isCurrent || !hasCaughtUp else { return plan }
        let hasLooked = await hasLooked(within: .seconds(5), session)
        plan = knownPlan()
        plan.isCurrent = hasCaughtUp && hasLooked
        return plan
    }

    /// Whether no cycle goes on, or the one that did came to its end in time.
    nonisolated(nonsending) func isAtRest(within limit: Duration, _ session: FolderSession) async -> Bool {
        guard isWorking else { return true }
        return await withCheckedContinuation { continuation in
            let number = waiters.waitForRest(continuation)
            giveUp(.rest(number), after: limit, session)
        }
    }

    /// Whether everything that was saved before this call is known, done or waiting: a cookie left in the state
    /// directory came back from the watcher. `false` where it did not within two seconds.
    private nonisolated(nonsending) func hasCaughtUp() async -> Bool {
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

    /// Whether nothing that the watcher told of waits for a look, and none is under way.
    private var hasSeenAll: Bool { !inbox.isWaiting && observer.looks.isEmpty }

    /// Whether nothing waits for a look any more; `false` where that was not so in time.
    private nonisolated(nonsending) func hasLooked(within limit: Duration, _ session: FolderSession) async -> Bool {
        guard !hasSeenAll else { return true }
        return await withCheckedContinuation { continuation in
            let number = waiters.waitForLook(continuation)
            giveUp(.look(number), after: limit, session)
        }
    }

    /// Whether the server was asked after this call what changed, and what it said was acted on; `false` where that was
    /// not done in time.
    private nonisolated(nonsending) func hasFetchedAnew(
        within limit: Duration, _ session: FolderSession
    ) async -> Bool {
        access.oweDatabaseFetch()
        inbox.doorbell.ring()
        return await withCheckedContinuation { continuation in
            let number = waiters.waitForFetch(continuation)
            giveUp(.fetch(number), after: limit, session)
        }
    }

    /// Ends somebody's wait in vain, unless it has ended.
    func giveUp(_ wait: SessionWaiters.Wait) {
        waiters.giveUp(wait) { answer(to: $0) }
    }

    /// Once a time has passed. Never cancelled.
    private func giveUp(_ wait: SessionWaiters.Wait, after time: Duration, _ session: FolderSession) {
        let clock = environment.clock
        Task(executorPreference: environment.executor) {
            try? await clock.sleep(time)
            await session.giveUp(wait)
        }
    }

    private func answer(to question: SessionWaiters.Question) -> StatusReport {
        let isProven = next.isQuiet && !inbox.isWaiting
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
            || pause.isOn || attention.stateProblem != nil || setbacks.trouble.unkeptSignIn != nil
    }

    /// Whether the server was tried after a moment, and gave no answer.
    private func isSilent(since asked: SteadyInstant) -> Bool {
        if let silence = setbacks.trouble.silence, silence.last >= asked { return true }
        return environment.network?.outage(of: server).map { $0.outage.last >= asked } ?? false
    }

    /// Lets those go on who wait for a look at the folder, where it has come, or will not.
    func answerLooks(isEnding: Bool = false) {
        waiters.finishLook(isDone: hasSeenAll, isHopeless: isEnding || !observer.isRootSafe)
    }

    /// Lets those go on who wait for the folder to settle, for a look or for a fetch, where it has come, or will not.
    /// - Parameter isEnding: Whether no cycle comes after this one.
    func answerWaiters(isEnding: Bool = false) {
        waiters.answer(
            isOver: isEnding || isStuck || next.isQuiet && !inbox.isWaiting, isSilent: { isSilent(since: $0) },
            report: { answer(to: $0) })
        answerLooks(isEnding: isEnding)
        waiters.finishFetch(
            isDone: fetches.isEmpty, isHopeless: isEnding || !setbacks.isOnline || pause.isOn)
    }
}
