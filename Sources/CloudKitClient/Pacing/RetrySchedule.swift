/// When each failed thing of one database may be tried again, and whether the database as a whole has to wait.
///
/// Holds only what failed and has not succeeded since. Keys are the caller's: a record name, a zone, a step.
public struct RetrySchedule<Key: Hashable & Sendable, Instant: InstantProtocol & Sendable>: Sendable
where Instant.Duration == Duration {
    private struct Entry: Sendable {
        var backoff: Backoff
        var next: Instant
    }

    private var policy: Backoff.Policy
    private var items: [Key: Entry] = [:]
    private var database: Backoff
    private var resumes: Instant?
    private var throttledUntil: Instant?

    /// Nothing waits.
    public init(policy: Backoff.Policy = .init()) {
        self.policy = policy
        database = Backoff(policy: policy)
    }

    /// Counts a failure; says when to try again.
    public mutating func failed(
        _ key: Key, after: Duration?, pausing pause: ErrorReaction.Pause, at now: Instant,
        using random: inout some RandomNumberGenerator
    ) -> Instant {
        switch pause {
        case .item:
            var backoff = items[key]?.backoff ?? Backoff(policy: policy)
            let next = now.advanced(by: backoff.failed(retryAfter: after, using: &random))
            items[key] = Entry(backoff: backoff, next: next)
        case .database:
            // Requests that were under way together fail together: that is one failure.
            if let resumes, now < resumes, after == nil { return self.next(for: key) ?? resumes }
            let next = now.advanced(by: database.failed(retryAfter: after, using: &random))
            resumes = max(resumes ?? next, next)
            if let after { throttledUntil = max(throttledUntil ?? now, now.advanced(by: after)) }
        }
        return self.next(for: key) ?? now
    }

    /// Forgets a thing's failures. The database answered, so its own count starts over too; a wait that the server
    /// asked for stays.
    public mutating func succeeded(_ key: Key, at now: Instant) {
        items[key] = nil
        if let throttledUntil, now < throttledUntil { return }
        database.succeeded()
        resumes = nil
        throttledUntil = nil
    }

    /// Forgets a thing that is no longer wanted.
    public mutating func forget(_ key: Key) {
        items[key] = nil
    }

    /// Everything may be tried at once, but for what the server itself asked to wait for.
    public mutating func networkReturned() {
        items = [:]
        database.succeeded()
        resumes = throttledUntil
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

    /// Whether a thing may be tried now.
    public func isDue(_ key: Key, at now: Instant) -> Bool {
        next(for: key).map { $0 <= now } ?? true
    }
}
