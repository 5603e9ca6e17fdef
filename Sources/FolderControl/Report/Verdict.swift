/// The one word that says how a folder stands.
public enum Verdict: String, Codable, Hashable, Sendable, CaseIterable {
    /// Everything that was seen on either side is on both.
    case inSync = "in-sync"
    /// Something is moving now.
    case syncing
    /// Something is to be moved, and waits for its turn or for the network's next try.
    case pending
    /// Something waits for a person: a held file, a conflict, an approval, a sign-in.
    case attention
    /// Part of the folder is not watched, or the last look at it was not whole.
    case degraded
    /// A person paused it.
    case paused
    /// The server cannot be reached.
    case offline
    /// Nothing is known: no daemon runs, or it has not finished its first look.
    case unknown
    /// Of a path alone: it is never synced, or a rule leaves it out.
    case notSynced = "not-synced"

    /// The exit code of `status`: 0 in sync, 3 pending, 4 conflicts, held or not synced, 5 not running, 6 degraded or unknown,
    /// 7 approval needed.
    public func exitCode(isRunning: Bool, needsApproval: Bool) -> Int32 {
        switch self {
        case _ where !isRunning: 5
        case .inSync: 0
        case .attention: needsApproval ? 7 : 4
        case .notSynced: 4
        case .syncing, .pending, .paused, .offline: 3
        case .degraded, .unknown: 6
        }
    }
}

/// What the verdict is made from.
public struct VerdictFacts: Hashable, Sendable {
    /// Whether the folder was looked at whole and the zone fetched since the start.
    public var hasLookedAtBothSides = false
    public var isPaused = false
    /// Whether the last request to the server got through.
    public var isOnline = true
    /// Whether actions are being carried out now.
    public var isWorking = false
    /// Whether something is known to differ, or a look or a fetch is owed.
    public var hasPendingWork = false
    /// Held files, conflicts, approvals and account trouble.
    public var needsAttention = false
    /// Whether somebody waited for a proof, and there was none in time: nothing is known of what was saved since.
    public var isUnproven = false
    /// Whether part of the folder is unwatched or unreadable.
    public var isDegraded = false

    /// Facts of a session that has just begun.
    public init() {}

    /// The verdict: what a person must know first comes first, and "in sync" is said only of what was seen.
    public var verdict: Verdict {
        if isPaused { return .paused }
        if isUnproven { return isOnline ? (isWorking ? .syncing : .pending) : .offline }
        if needsAttention { return .attention }
        if !isOnline { return .offline }
        if !hasLookedAtBothSides { return isWorking ? .syncing : .unknown }
        if isWorking { return .syncing }
        if hasPendingWork { return .pending }
        return isDegraded ? .degraded : .inSync
    }
}
