import CloudKitClient
import CloudKitWire
import FolderHistory
import FolderKnowledge
import LocalFolder
public import Logging
import ProblemSentences
import RecordMapping
import RecordSending
import StateStorage
import SyncModel
import SyncPlanning
import SyncTiming
import Synchronization

/// Keeps one folder and one zone the same: looks, fetches, plans, acts, commits, and begins anew.
///
/// A cycle keeps the order account, zone, subscription, database changes, zone changes, local changes; nothing is sent
/// before the first fetch. What is known is in the three trees and in the state store; what is to be done is computed
/// from them each time, so that a crash needs no recovery of its own.
///
/// Everything that waits, waits in ``run()``; every other method does its work and returns.
public actor FolderSession {
    let environment: SessionEnvironment
    let logger: Logger
    let inbox: Inbox
    /// Where requests go; `nil` where the configuration names no such place.
    nonisolated let server: ServerOrigin?

    let knowledge: Knowledge
    var rules: RulesInForce
    var account: SessionAccount

    var looks = OwedLooks()
    var fetches = OwedFetches()
    var unobserved = UnobservedPaths()
    /// Why nothing may be done in the folder.
    var rootProblem: Problem?
    /// Why what is seen and done cannot be stored.
    var stateProblem: Problem?
    var refusals = Refusals()
    var deletionMemory = DeletionMemory()
    var restless = RestlessFiles()
    /// The names of files that have several.
    var linkedNames = LinkedNames()
    var requestLimit = RequestLimit()
    var retry = RetrySchedule<RetryKey, SteadyInstant>()
    var lastPlan = Plan()
    let progress = ProgressMeter()
    /// The events that go on, and what was done in all.
    var eventLog = EventLog()
    /// What was done, to tell progress from standing still.
    var outcomeCount = OutcomeCount()
    var heldFiles = HeldFiles()
    var storedAttention = StoredAttention()
    var lastTimes: LastTimes
    var trouble = ServerTrouble()
    var isWorking = false
    private var ending = Ending.no
    var arrivals = SharedArrivals()
    var history: HistoryCare
    var deletedVersions = DeletedVersions()
    var waiters = SessionWaiters()
    var random: any RandomNumberGenerator & Sendable

    /// Opens nothing and sends nothing; the trees are read from the store.
    public init(_ environment: SessionEnvironment, inbox: Inbox, logger: Logger) throws {
        self.environment = environment
        self.inbox = inbox
        self.logger = logger
        let configuration = environment.configuration
        server = ServerOrigin(of: configuration.server)
        random = environment.random
        history = HistoryCare(
            of: configuration, writer: environment.writer, store: environment.store, clock: environment.clock,
            logger: logger)
        let change = try environment.store.setOrigin(FolderOrigin(configuration))
        account = SessionAccount(isServerUnproven: change == .server)
        if change == .forgotten {
            logger.warning("The folder is configured for another zone than before; both sides are read anew")
        }
        knowledge = try Knowledge(
            configuration, declared: environment.declaredSchema, in: environment.store, memory: environment.rowMemory)
        lastTimes = LastTimes(knowledge.facts)
        rules = RulesInForce(
            read: try IgnoreRules.read(from: environment.root),
            stored: knowledge.facts.ignoreRules.map { IgnoreRules(text: $0.utf8) })
        let leftOut = rules.current
        let walk = Mutex<FirstWalk?>(nil)
        let unfinished = try knowledge.load { files in
            let begun = Self.firstWalk(over: files, in: environment, leavingOut: leftOut)
            walk.withLock { $0 = begun }
        }
        if let walk = walk.withLock(\.self) { looks.owe(walk) }
        restless.doubtOnly(unfinished.unsettled)
        let began = SteadyInstant(offset: environment.clock.steady())
        for path in unfinished.arrived {
            arrivals.note(path, now: began, using: &random)
        }
    }

    /// Syncs until the task is cancelled or ``stop(toReload:)`` is called.
    public func run() async {
        while !Task.isCancelled, !isStopping {
            await cycle()
            answerWaiters()
            guard !isStopping else { break }
            releaseMemory()
            await inbox.doorbell.wait(timeout: timeUntilNextWork(), on: environment.clock)
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
        oweDatabaseFetch()
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
        // A stop is the last word, whatever is said after it.
        ending = toReload && ending != .stop ? .reload : .stop
        inbox.doorbell.ring()
    }

    private enum Ending {
        case no, stop, reload
    }

    /// Whether the session is to end.
    var isStopping: Bool { ending != .no }

    /// Whether the folder is to be opened again after its end.
    var isReloading: Bool { ending == .reload }

    /// Returns as soon as the session has nothing else in hand that it cannot put aside.
    func answer() {}

    /// One cycle, in the order that the design gives.
    func cycle() async {
        history.lookAfter(at: now) { knowledge.trees.record(at: $0) }
        // The folder is looked at also while the database waits.
        guard retry.ownNext(for: .state).map({ $0 <= now }) ?? true else { return }
        isWorking = true
        defer {
            isWorking = false
            waiters.rest()
        }
        do {
            try followPause()
            checkRoot()
            try await observe()
            guard !isStopping else { return }
            if isPaused {
                // What is to be done is seen and told; what came meanwhile is asked for at the end.
                try storeAttention()
            } else {
                takePushes()
                guard try await isReady(), try await fetch() else { return try storeAttention() }
                try await act()
            }
            retry.forget(.state)
            stateProblem = nil
        } catch {
            stateProblem = .stateUnusable(error)
            logger.error("The state could not be stored; nothing goes on until it can", metadata: ["error": "\(error)"])
            waitAfterFailure(.state, after: nil, pausing: .item)
        }
    }

    /// Whether nothing is owed, and nothing was left undone that could be done.
    package var isQuiet: Bool {
        looks.isEmpty && fetches.isEmpty && !inbox.hasDue(at: now) && runnableActions().isEmpty
            && !lastPlan.actions.contains { action in
                !(isSendingHeld && action.isSending) && due(action).map { $0 > now } ?? false
            }
    }

    var reader: FolderReader { FolderReader(root: environment.root) }

    var now: SteadyInstant { SteadyInstant(offset: environment.clock.steady()) }
}
