public import CloudKitClient

/// When each failed thing of one database may be tried again, and whether the database as a whole has to wait.
///
/// Holds only what failed and has not succeeded since. Keys are the caller's: a record name, a zone, a step. What waits for
/// the network ends its wait with the network's return; what the server refuses, or fails at, waits its time.
public struct RetrySchedule<Key: Hashable & Sendable, Instant: InstantProtocol & Sendable>: Sendable
where Instant.Duration == Duration {
    private struct Entry: Sendable {
        var backoff: Backoff
        /// `nil`: at once.
        var next: Instant?
        /// What the server itself asked to wait for.
        var asked: Instant?
        var obstacle = RetryObstacle.server
        /// How often an answer ended its wait, and it failed for the network's sake again.
        var earlyTries = 0
    }

    private var policy: Backoff.Policy
    private var items: [Key: Entry] = [:]
    private var standstills = Standstills<Key>()
    private var database: Backoff
    private var resumes: Instant?
    /// Until when the database waits for the server's sake, and of that what the server itself asked for.
    private var refusedUntil: Instant?
    private var throttledUntil: Instant?
    private var earlyTries = 0
    /// Waits that were begun, each with a try after it.
    public private(set) var waits = 0
    /// How long those were to be, added up; what ended one early takes nothing away.
    public private(set) var waited = Duration.zero

    /// A request that fails without an answer while others are answered is not the network's matter: its waits are ended
    /// early so often in a row, or it would be repeated without a pause.
    private static var mostEarlyTries: Int { 2 }

    /// Nobody asked to be left alone, and often nobody says that the network is back.
    private static var longestForNetwork: Duration { .seconds(30) }

    /// Nothing waits.
    public init(policy: Backoff.Policy = .init()) {
        self.policy = policy
        database = Backoff(policy: policy)
    }

    /// Counts a failure; says when to try again.
    /// - Parameters:
    ///   - after: What the server asked to wait for.
    ///   - least: What is waited for at least, though nobody asked for it.
    public mutating func failed(
        _ key: Key, after: Duration?, atLeast least: Duration? = nil, pausing pause: ErrorReaction.Pause,
        for obstacle: RetryObstacle = .server,
        at now: Instant, using random: inout some RandomNumberGenerator
    ) -> Instant {
        func wait(_ backoff: inout Backoff) -> Instant {
            let own = backoff.failed(retryAfter: after ?? least, using: &random)
            let wait = obstacle == .network ? min(own, Self.longestForNetwork) : own
            waits += 1
            waited += wait
            return now.advanced(by: wait)
        }
        switch pause {
        case .item:
            var entry = items[key] ?? Entry(backoff: Backoff(policy: policy))
            entry.next = wait(&entry.backoff)
            entry.obstacle = obstacle
            if let after { entry.asked = max(entry.asked ?? now, now.advanced(by: after)) }
            items[key] = entry
        case .database:
            // Requests that were under way together fail together: that is one failure, which waits the longest time asked for.
            if let resumes, now < resumes {
                if let after { lift(to: now.advanced(by: after), for: obstacle) }
                return self.next(for: key) ?? resumes
            }
            let next = wait(&database)
            resumes = max(resumes ?? next, next)
            if obstacle == .server { refusedUntil = max(refusedUntil ?? next, next) }
            if let after { throttledUntil = max(throttledUntil ?? now, now.advanced(by: after)) }
        }
        return self.next(for: key) ?? now
    }

    /// Lets the database wait so long at least, as the server asked for it.
    private mutating func lift(to asked: Instant, for obstacle: RetryObstacle) {
        resumes = resumes.map { max($0, asked) } ?? asked
        if obstacle == .server { refusedUntil = refusedUntil.map { max($0, asked) } ?? asked }
        throttledUntil = throttledUntil.map { max($0, asked) } ?? asked
    }

    /// Counts that a thing came to nothing though nothing failed: it may be tried again at once, and waits as after a failure
    /// where that repeats.
    public mutating func cameToNothing(
        _ key: Key, for obstacle: RetryObstacle = .server, at now: Instant,
        using random: inout some RandomNumberGenerator
    ) {
        guard standstills.note(key) else { return }
        _ = failed(key, after: nil, pausing: .item, for: obstacle, at: now, using: &random)
    }

    /// Whether nothing came to nothing lately.
    public var isMoving: Bool { standstills.isEmpty }

    /// Forgets what else came to nothing than these, which are still wanted.
    public mutating func keepStandstills(of keys: Set<Key>) {
        for key in standstills.keep(only: keys) { forget(key) }
    }

    /// Forgets a thing's failures. The database answered, so its own count starts over too; a wait that the server
    /// asked for stays.
    public mutating func succeeded(_ key: Key, at now: Instant) {
        items[key] = nil
        standstills.forget(key)
        if let throttledUntil, now < throttledUntil { return }
        database.succeeded()
        resumes = nil
        refusedUntil = nil
        throttledUntil = nil
        earlyTries = 0
    }

    /// Forgets a thing that is no longer wanted.
    public mutating func forget(_ key: Key) {
        items[key] = nil
    }

    /// Something was answered: what waits for the network may be tried at once, unless that was in vain before.
    public mutating func networkAnswered() {
        for (key, entry) in items where entry.obstacle == .network && entry.earlyTries < Self.mostEarlyTries {
            items[key]!.next = nil
            items[key]!.earlyTries += 1
        }
        guard let resumes, refusedUntil.map({ $0 < resumes }) ?? true, earlyTries < Self.mostEarlyTries else { return }
        self.resumes = refusedUntil
        earlyTries += 1
    }

    /// The network was away and is back: what waits for it may be tried at once, and its failures say nothing more.
    public mutating func networkReturned() {
        items = items.filter { $0.value.obstacle != .network }
        if refusedUntil == nil { database.succeeded() }
        resumes = refusedUntil
        earlyTries = 0
    }

    /// A person asks, or the account is another one: everything may be tried at once, but for what the server itself asked
    /// to wait for.
    public mutating func tryEverything() {
        items = items.compactMapValues { entry in
            guard let asked = entry.asked else { return nil }
            var waiting = Entry(backoff: Backoff(policy: policy))
            (waiting.next, waiting.asked) = (asked, asked)
            return waiting
        }
        database.succeeded()
        resumes = throttledUntil
        refusedUntil = throttledUntil
        earlyTries = 0
    }

    /// How often a thing failed in a row.
    public func failures(of key: Key) -> Int { items[key]?.backoff.failures ?? 0 }

    /// When the database may be asked again; `nil` where it need not wait.
    public var databaseResumes: Instant? { resumes }

    /// When a thing may be tried; `nil` where neither it nor the database waits.
    public func next(for key: Key) -> Instant? {
        guard let item = items[key]?.next else { return resumes }
        return resumes.map { max($0, item) } ?? item
    }

    /// When a thing may be tried that needs nothing of the database; `nil` where it does not wait.
    public func ownNext(for key: Key) -> Instant? { items[key]?.next }

    /// Whether a thing may be tried now.
    public func isDue(_ key: Key, at now: Instant) -> Bool {
        next(for: key).map { $0 <= now } ?? true
    }
}
