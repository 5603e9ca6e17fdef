import CloudKitClient
import FolderHistory
import FolderKnowledge
import FolderObserving
import FolderSettings
import Logging
import SessionCore
import StateRows
import StateStorage
import SyncActions
import SyncTiming
import ZoneFetching

/// The parts of a session, and who knows whom. Each keeps its own state, and nobody else changes it.
struct SessionParts {
    let environment: SessionEnvironment
    let inbox: Inbox
    let logger: Logger
    let stop: StopRequest
    /// What is known of both sides.
    let knowledge: Knowledge
    let setbacks: Setbacks
    let committer: Committer
    let lastTimes: LastTimes
    // Both sides.
    let observer: FolderObserver
    let fetches = OwedFetches()
    let access: ZoneAccess
    let fetcher: ZoneFetcher
    // What is to be done, and who does it.
    let work: PlannedWork
    let attention: Attention
    let runner: PlanRunner
    // What people ask for, and what they are told.
    let pause: SessionPause
    let answers: SessionAnswers
    // What comes by itself.
    let history: HistoryCare
    let memory: MemoryCare
    let next: NextWork

    /// Opens nothing and sends nothing; the trees are read from the store.
    init(_ environment: SessionEnvironment, inbox: Inbox, logger: Logger) throws {
        (self.environment, self.inbox, self.logger) = (environment, inbox, logger)
        stop = StopRequest(isStateRemoved: environment.isStateRemoved)
        let configuration = environment.configuration
        let random = SharedRandomness(environment.random)
        let server = ServerOrigin(of: configuration.server)
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
            conflictCopies: conflictCopies, lastTimes: lastTimes, stop: stop, logger: logger)
        access = ZoneAccess(
            environment, inbox: inbox, knowledge: knowledge, setbacks: setbacks, events: events, fetches: fetches,
            account: SessionAccount(isServerUnproven: change == .server), stop: stop, logger: logger)
        fetcher = ZoneFetcher(
            environment, inbox: inbox, knowledge: knowledge, setbacks: setbacks, events: events, fetches: fetches,
            access: access, observer: observer, committer: committer, lastTimes: lastTimes, logger: logger)

        // What is to be done, and who does it.
        work = try PlannedWork(
            environment, knowledge: knowledge, setbacks: setbacks, observer: observer, fetches: fetches,
            committer: committer, random: random, logger: logger)
        attention = Attention(
            environment, knowledge: knowledge, setbacks: setbacks, observer: observer, committer: committer,
            work: work, logger: logger)
        let importer = Importer(
            environment, knowledge: knowledge, setbacks: setbacks, committer: committer,
            conflictCopies: conflictCopies, observer: observer, fetches: fetches, fetcher: fetcher, work: work,
            progress: environment.progress, stop: stop, logger: logger)
        let exporter = Exporter(
            environment, knowledge: knowledge, setbacks: setbacks, events: events, committer: committer,
            versions: versions, observer: observer, access: access, fetches: fetches, fetcher: fetcher, work: work,
            progress: environment.progress, lastTimes: lastTimes, stop: stop, logger: logger)
        runner = PlanRunner(
            environment, inbox: inbox, knowledge: knowledge, setbacks: setbacks, events: events, fetches: fetches,
            access: access, observer: observer, fetcher: fetcher, work: work, attention: attention,
            committer: committer, importer: importer, exporter: exporter, progress: environment.progress, stop: stop)
        let reporter = StatusReporter(
            environment, inbox: inbox, server: server, knowledge: knowledge, setbacks: setbacks, events: events,
            fetches: fetches, access: access, observer: observer, work: work, attention: attention,
            conflictCopies: conflictCopies, progress: environment.progress, lastTimes: lastTimes)
        pause = SessionPause(
            environment, inbox: inbox, knowledge: knowledge, setbacks: setbacks, access: access, logger: logger)
        next = NextWork(
            environment, inbox: inbox, knowledge: knowledge, setbacks: setbacks, observer: observer, fetches: fetches,
            access: access, work: work, history: history, pause: pause)
        answers = SessionAnswers(
            environment, inbox: inbox, server: server, setbacks: setbacks, observer: observer, fetches: fetches,
            access: access, attention: attention, reporter: reporter, pause: pause, next: next, logger: logger)
        memory = MemoryCare(environment, knowledge: knowledge, committer: committer)

        let began = environment.clock.now
        for path in try observer.readKnown() { work.arrivals.note(path, now: began, using: random) }
        work.readUnseenDeletions()
    }
}
