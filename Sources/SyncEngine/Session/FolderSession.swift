import CloudKitClient
import FolderHistory
import FolderKnowledge
import FolderObserving
import FolderSettings
public import Logging
import ProblemSentences
import RecordTrees
public import SessionCore
import StateRows
import StateStorage
import SyncActions
import SyncTiming
import Synchronization
import ZoneFetching

/// Keeps one folder and one zone the same: looks, fetches, plans, acts, commits, and begins anew.
///
/// A cycle keeps the order account, zone, subscription, database changes, zone changes, local changes; nothing is sent
/// before the first fetch. What is known is in the three trees and in the state store; what is to be done is computed
/// from them each time, so that a crash needs no recovery of its own.
///
/// Everything that waits, waits in ``run()``; every other method does its work and returns.
public actor FolderSession {
    package let environment: SessionEnvironment
    let logger: Logger
    let inbox: Inbox
    /// Where requests go; `nil` where the configuration names no such place.
    nonisolated let server: ServerOrigin?

    let knowledge: Knowledge
    let setbacks: Setbacks
    let committer: Committer
    let observer: FolderObserver
    let fetches = OwedFetches()
    let access: ZoneAccess
    let fetcher: ZoneFetcher
    let work: PlannedWork
    let attention: Attention
    let runner: PlanRunner
    let reporter: StatusReporter
    let history: HistoryCare
    package nonisolated let progress = ProgressMeter()
    let lastTimes: LastTimes
    private let stopRequest = StopRequest()
    private(set) var isWorking = false
    var waiters = SessionWaiters()

    /// Opens nothing and sends nothing; the trees are read from the store.
    public init(_ environment: SessionEnvironment, inbox: Inbox, logger: Logger) throws {
        self.environment = environment
        self.inbox = inbox
        self.logger = logger
        let configuration = environment.configuration
        let random = SharedRandomness(environment.random)
        server = ServerOrigin(of: configuration.server)
        history = HistoryCare(
            of: configuration, writer: environment.writer, store: environment.store, clock: environment.clock,
            logger: logger)
        let change = try environment.store.setOrigin(FolderOrigin(configuration))
        if change == .forgotten {
            logger.warning("The folder is configured for another zone than before; both sides are read anew")
        }
        knowledge = try Knowledge(
            configuration, declared: environment.declaredSchema, in: environment.store, memory: environment.rowMemory)
        lastTimes = LastTimes(knowledge.facts)

        // What goes wrong, what is told, and what is stored.
        setbacks = Setbacks(environment, knowledge: knowledge, server: server, random: random)
        let events = EventRecorder(store: environment.store, clock: environment.clock)
        let versions = OwnVersions(environment, knowledge: knowledge, history: history)
        committer = Committer(
            environment, knowledge: knowledge, events: events, setbacks: setbacks, fetches: fetches, versions: versions)
        let conflictCopies = ConflictCopies(
            environment, knowledge: knowledge, committer: committer, logger: logger)

        // Both sides.
        observer = try FolderObserver(
            environment, inbox: inbox, knowledge: knowledge, setbacks: setbacks, committer: committer,
            conflictCopies: conflictCopies, lastTimes: lastTimes, stop: stopRequest, logger: logger)
        access = ZoneAccess(
            environment, inbox: inbox, knowledge: knowledge, setbacks: setbacks, events: events, fetches: fetches,
            account: SessionAccount(isServerUnproven: change == .server), stop: stopRequest, logger: logger)
        fetcher = ZoneFetcher(
            environment, inbox: inbox, knowledge: knowledge, setbacks: setbacks, events: events, fetches: fetches,
            access: access, observer: observer, committer: committer, lastTimes: lastTimes, logger: logger)

        // What is to be done, and who does it.
        work = PlannedWork(
            environment, knowledge: knowledge, setbacks: setbacks, observer: observer, fetches: fetches,
            committer: committer, random: random, logger: logger)
        attention = Attention(
            environment, knowledge: knowledge, setbacks: setbacks, observer: observer, committer: committer,
            work: work, logger: logger)
        let importer = Importer(
            environment, knowledge: knowledge, setbacks: setbacks, committer: committer,
            conflictCopies: conflictCopies, observer: observer, fetches: fetches, fetcher: fetcher, work: work,
            progress: progress, stop: stopRequest, logger: logger)
        let exporter = Exporter(
            environment, knowledge: knowledge, setbacks: setbacks, events: events, committer: committer,
            versions: versions, observer: observer, access: access, fetches: fetches, fetcher: fetcher, work: work,
            progress: progress, lastTimes: lastTimes, stop: stopRequest, logger: logger)
        runner = PlanRunner(
            environment, inbox: inbox, knowledge: knowledge, setbacks: setbacks, events: events, fetches: fetches,
            access: access, observer: observer, fetcher: fetcher, work: work, attention: attention,
            committer: committer, importer: importer, exporter: exporter, progress: progress, stop: stopRequest)
        reporter = StatusReporter(
            environment, inbox: inbox, server: server, knowledge: knowledge, setbacks: setbacks, events: events,
            fetches: fetches, access: access, observer: observer, work: work, attention: attention,
            conflictCopies: conflictCopies, progress: progress, lastTimes: lastTimes)

        let began = environment.clock.now
        for path in try observer.readKnown() { work.arrivals.note(path, now: began, using: random) }
    }

    /// Syncs until the task is cancelled or ``stop(toReload:)`` is called.
    public func run() async {
        while !Task.isCancelled, !isStopping {
            await cycle()
            answerWaiters()
            guard !isStopping else { break }
            releaseMemory()
            await inbox.doorbell.wait(until: nextWork(), on: environment.clock)
        }
        answerWaiters(isEnding: true)
        storeTimes()
    }

    /// Keeps for `status` without a daemon what was last done.
    private func storeTimes() {
        do {
            try knowledge.updateFacts { lastTimes.put(into: &$0) }
        } catch {
            logger.warning("The time of the last fetch could not be stored", metadata: ["error": "\(error)"])
        }
    }

    /// Goes through one cycle after another until nothing is left that can be done now.
    public func settle() async {
        oweEverything()
        access.oweDatabaseFetch()
        for _ in 0..<Self.longestSettling {
            await cycle()
            if isQuiet, !inbox.isWaiting { break }
            guard let wait = timeUntilNextWork(), wait < Self.longestSettlingWait else { break }
            await inbox.doorbell.wait(timeout: wait, on: environment.clock)
        }
        storeTimes()
    }

    static let longestSettling = 1000
    /// A deletion waits so long at most; a back-off that has grown longer is not waited for.
    static let longestSettlingWait = Duration.seconds(4)

    /// Ends ``run()`` once the current step is in a safe state.
    /// - Parameter toReload: Whether it was asked for so that the folder is opened again by another configuration.
    public func stop(toReload: Bool = false) {
        stopRequest.make(toReload: toReload)
        inbox.doorbell.ring()
    }

    /// Whether the session is to end.
    package var isStopping: Bool { stopRequest.isMade }

    /// Whether the folder is to be opened again after its end.
    package var isReloading: Bool { stopRequest.isToReload }

    /// Returns as soon as the session has nothing else in hand that it cannot put aside.
    package func answer() {}

    /// One cycle, in the order that the design gives.
    func cycle() async {
        history.lookAfter(at: now) { knowledge.trees.record(at: $0) }
        // The folder is looked at also while the database waits.
        guard setbacks.ownNext(for: .state).map({ $0 <= now }) ?? true else { return }
        isWorking = true
        defer {
            isWorking = false
            waiters.rest()
        }
        do {
            try followPause()
            observer.checkRoot()
            try await observer.observe()
            guard !isStopping else { return }
            if isPaused {
                // What is to be done is seen and told; what came meanwhile is asked for at the end.
                try attention.store()
            } else {
                access.takePushes()
                guard try await isReady(), try await fetcher.fetch() else { return try attention.store() }
                try await runner.run()
            }
            setbacks.forget(.state)
            attention.note(stateProblem: nil)
        } catch {
            attention.note(stateProblem: .stateUnusable(error))
            logger.error("The state could not be stored; nothing goes on until it can", metadata: ["error": "\(error)"])
            setbacks.failed(.state)
        }
    }

    /// Whether the zone may be asked: account, zone and subscription are there.
    private func isReady() async throws -> Bool {
        guard observer.isRootSafe else { return false }
        switch try await access.makeReady() {
        case .ready: return true
        case .waiting: return false
        case .elsewhere:
            beginAnew()
            return false
        }
    }

    /// Forgets what was to be done for another zone.
    private func beginAnew() {
        observer.beginAnew()
        fetches.beginAnew()
        attention.beginAnew()
        work.forgetPlan()
    }

    /// Whether nothing is owed, and nothing was left undone that could be done.
    var isQuiet: Bool {
        observer.looks.isEmpty && fetches.isEmpty && !inbox.hasDue(at: now) && work.isDone
    }

    var now: SteadyInstant { environment.clock.now }
}
