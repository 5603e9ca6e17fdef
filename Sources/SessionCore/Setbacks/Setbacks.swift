package import CloudKitClient
package import CloudKitWire
package import FolderKnowledge
package import ProblemSentences
import RecordTrees
package import RemoteZone
package import RequestPacing
package import SyncModel
package import SyncTiming

/// What went wrong, and when it may be tried again: requests that failed, actions that came to nothing, versions that one side
/// refused.
///
/// What nothing is wrong with is not in here: at rest all of it is empty.
package final class Setbacks {
    private let environment: SessionEnvironment
    private let knowledge: Knowledge
    private let server: ServerOrigin?
    private let random: SharedRandomness
    private var refusals = Refusals()
    private var retry = RetrySchedule<RetryKey, SteadyInstant>()
    package private(set) var trouble = ServerTrouble()

    /// Nothing went wrong yet.
    package init(
        _ environment: SessionEnvironment, knowledge: Knowledge, server: ServerOrigin?, random: SharedRandomness
    ) {
        (self.environment, self.knowledge, self.server, self.random) = (environment, knowledge, server, random)
    }

    private var now: SteadyInstant { environment.clock.now }

    // MARK: The server

    /// Whether the database as a whole has to wait.
    package var isDatabasePaused: Bool { databaseResumes.map { $0 > now } ?? false }

    /// When the database may be asked again; `nil` where it need not wait.
    package var databaseResumes: SteadyInstant? { retry.databaseResumes }

    /// Whether the server cannot be reached: nothing is asked of it until it can, and one try is made for all folders.
    package var isServerAway: Bool { environment.network?.isAway(server) ?? false }

    /// Whether the last request was answered, and the next one makes sense.
    package var isOnline: Bool { trouble.silence == nil && !isServerAway }

    /// Notes that a request was not answered by the server.
    package func noteSilence(_ error: CloudKitError) {
        // Nobody asked it anything.
        if error.obstacle == .credentials { return noteUnkeptSignIn(error.reason ?? error.message) }
        // A server that is not trusted is no network that is away: a person has to see to it.
        let distrust: Problem? = error.code == .transport(.untrusted) ? .untrusted(error.message) : nil
        trouble.noteSilence(because: error.reason ?? error.message, distrust: distrust, now: now)
    }

    /// Notes that the server answered, whatever it said.
    package func noteAnswer() { trouble.noteAnswer() }

    /// Notes that this machine cannot keep the sign-in, so that nothing was asked of the server.
    package func noteUnkeptSignIn(_ reason: String) { trouble.noteUnkeptSignIn(.signInNotKept(reason)) }

    /// Notes that the server asks to be left alone for a while.
    package func notePause(_ reason: String) { trouble.notePause(reason) }

    /// Notes that a request was refused that all others wait for.
    package func noteRefusal(of key: RetryKey, _ problem: Problem) { trouble.noteRefusal(of: key, problem) }

    /// Notes that the server makes no subscription: everything goes on without it.
    package func notePushRefusal(_ reason: String) { trouble.notePushRefusal(reason) }

    /// Notes why a fetch comes to no end, though the server answers.
    package func noteHindrance(of key: RetryKey, _ problem: Problem) { trouble.noteHindrance(of: key, problem) }

    /// Notes that a fetch came to its end, or that there is nothing to fetch any more.
    package func endHindrance(of key: RetryKey) { trouble.endHindrance(of: key) }

    // MARK: Trying again

    /// Whether a thing may be tried now.
    package func isDue(_ key: RetryKey) -> Bool { retry.isDue(key, at: now) }

    /// When a thing may be tried; `nil` where neither it nor the database waits.
    package func next(for key: RetryKey) -> SteadyInstant? { retry.next(for: key) }

    /// When a thing may be tried that needs nothing of the database; `nil` where it does not wait.
    package func ownNext(for key: RetryKey) -> SteadyInstant? { retry.ownNext(for: key) }

    /// How often a thing failed in a row.
    package func failures(of key: RetryKey) -> Int { retry.failures(of: key) }

    /// How often an action failed in a row.
    package func failures(of action: Action) -> Int { RetryKey(action).map { retry.failures(of: $0) } ?? 0 }

    /// The waits that were begun, and how long they were to be in all.
    package var waits: (count: Int, length: Duration) { (retry.waits, retry.waited) }

    /// Notes that a thing went well.
    package func succeeded(_ key: RetryKey) {
        trouble.noteSuccess(of: key, isPaused: isDatabasePaused)
        retry.succeeded(key, at: now)
    }

    /// Notes that an action went well.
    package func succeeded(_ action: Action) {
        if let key = RetryKey(action) { succeeded(key) }
    }

    /// Notes a failure and when the thing may be tried again.
    /// - Parameters:
    ///   - after: What the server asked to wait for.
    ///   - least: What is waited for at least, though nobody asked for it.
    package func failed(
        _ key: RetryKey, after: Duration? = nil, atLeast least: Duration? = nil,
        pausing pause: ErrorReaction.Pause = .item, for obstacle: RetryObstacle = .server
    ) {
        var random = random
        _ = retry.failed(key, after: after, atLeast: least, pausing: pause, for: obstacle, at: now, using: &random)
    }

    /// The same of an action.
    package func failed(
        _ action: Action, after: Duration? = nil, pausing pause: ErrorReaction.Pause = .item,
        for obstacle: RetryObstacle = .server
    ) {
        if let key = RetryKey(action) { failed(key, after: after, pausing: pause, for: obstacle) }
    }

    /// Notes that an action came to nothing: it is tried again at once, and with growing pauses if that repeats.
    package func cameToNothing(_ action: Action, for obstacle: RetryObstacle = .server) {
        guard let key = RetryKey(action) else { return }
        var random = random
        retry.cameToNothing(key, for: obstacle, at: now, using: &random)
    }

    /// Forgets a thing that is no longer wanted, or may be tried at once.
    package func forget(_ key: RetryKey) { retry.forget(key) }

    /// A person asks, or the account is another one: everything may be tried at once, but for what the server itself asked to wait
    /// for.
    package func tryEverything() { retry.tryEverything() }

    /// Lets what waits for the network be tried again, where there is news of it.
    package func take(_ news: NetworkNews) {
        switch news {
        case .answered: retry.networkAnswered()
        case .returned: retry.networkReturned()
        }
    }

    // MARK: Versions that were refused

    /// Why what an action would send or write is left alone; `nil` where it is not.
    package func refusal(of action: Action) -> Refusal? { refusals[action] }

    /// Why some of these actions are left alone, where it is not only their turn that they wait for.
    package func problems(of actions: [Action]) -> [FolderPath: Problem] {
        // Most plans have none, however long they are.
        guard !refusals.isEmpty else { return [:] }
        var problems: [FolderPath: Problem] = [:]
        for action in actions {
            guard let refusal = refusals[action], !refusal.isOnItsWay else { continue }
            problems[action.path] = refusal.problem
        }
        return problems
    }

    /// Whether nothing but its turn, or the turn of others, keeps an action from being carried out.
    package func isOnItsWay(_ action: Action) -> Bool { refusals.isOnItsWay(action) }

    /// Whether an action is neither left alone nor waits for another try.
    package func allow(_ action: Action, at now: SteadyInstant) -> Bool {
        if let key = RetryKey(action), !retry.isDue(key, at: now) { return false }
        return refusals[action].map { $0.expires <= now } ?? true
    }

    /// When an action may be tried again; `nil`: at once.
    package func next(for action: Action) -> SteadyInstant? {
        [RetryKey(action).flatMap { retry.next(for: $0) }, refusals[action]?.expires].compactMap(\.self).max()
    }

    /// Keeps an action back until something about it changes, or a while has passed; says why.
    /// - Parameters:
    ///   - place: What stands in its way, where that is another path than its own.
    ///   - pause: How long, where that is known; else the longer, the more often it was kept back.
    package func hold(_ action: Action, _ problem: Problem, at place: FolderPath? = nil, for pause: Duration? = nil) {
        refusals.hold(action, because: problem, at: place, for: pause, wall: environment.clock.wall(), now: now)
    }

    /// Notes that what was held waits for one of some records (``Refusals/noteWait(of:for:paths:isOnItsWay:)``).
    package func noteWait(
        of action: Action, for records: Set<RecordName>, paths: Set<FolderPath> = [], isOnItsWay: Bool = false
    ) {
        refusals.noteWait(of: action, for: records, paths: paths, isOnItsWay: isOnItsWay)
    }

    /// Notes what has to come into the schema first.
    package func noteWait(of action: Action, for gap: SchemaGap) { refusals.noteWait(of: action, for: gap) }

    /// Lets go of files that wait for each other.
    package func releaseCircles() { refusals.releaseCircles() }

    /// Lets go of what waits for one of some records that came, changed or went.
    package func release(awaiting names: some Sequence<RecordName>) { refusals.release(awaiting: names) }

    /// Lets what was refused be tried again where something changed at its path, above it, below it, at a file that it names or
    /// waits for, or at what stood in its way.
    /// - Parameter code: Only what was refused for such a reason; `nil`: whatever the reason was.
    package func release(near changed: [FolderPath], of code: Problem.Code? = nil) {
        refusals.release(near: changed, of: code) { path in
            let form = knowledge.trees.local[path]?.form
            return (form?.attachments.map(\.path) ?? []) + environment.configuration.defaultPaths(of: form)
        }
    }

    /// Lets everything that was refused be tried again, as after a while or when asked to sync.
    package func releaseAll() {
        // The schema may have been given the reserved field meanwhile: ask the server again.
        if refusals.forgetAll() { knowledge.expectHintsFields() }
    }

    /// Forgets why an action was held: it is not what it waits for now.
    package func forgetRefusal(of action: Action) { refusals.forget(action) }

    /// Forgets what was refused before the attributes of its file changed (``Refusals/forget(ofTouched:)``).
    package func forgetRefusals(ofTouched files: [LocalEntry]) { refusals.forget(ofTouched: files) }

    /// Forgets the refusals and counts of what the plan no longer has.
    package func keep(only actions: [Action]) {
        guard !refusals.isEmpty || !retry.isMoving else { return }
        refusals.keep(only: actions)
        retry.keepStandstills(of: Set(actions.compactMap { RetryKey($0) }))
    }

    /// Where something stands in a way.
    package var blockedPlaces: [FolderPath] { refusals.blockedPlaces }

    // MARK: What the schema lacks

    /// The record types that the schema lacks as a whole.
    package var undeclaredTypes: Set<String> { refusals.undeclaredTypes }

    /// What a saved record has, the schema has: forgets whatever was held for lack of it.
    package func noteDeclared(by record: Record) { refusals.noteDeclared(by: record) }

    /// Lets the reserved field be sent again with what was held for lack of it and is due: only the server knows whether it has
    /// come. Once for each time that it is due.
    package func askForMissingFields(_ actions: some Sequence<Action>) {
        for action in actions {
            if let type = refusals.takeProbe(of: action) { knowledge.setHintsField(true, of: type) }
        }
    }
}
