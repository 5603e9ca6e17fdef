import SyncPlanning

/// How often in a row actions came to nothing, because the folder or the zone was not as planned with.
///
/// That is nothing unusual, and each is tried again at once; what repeats waits as after a failure.
struct Standstills: Sendable {
    private var counts: [RetryKey: Int] = [:]

    /// So often in a row something is tried again at once.
    private static let limit = 2

    var isEmpty: Bool { counts.isEmpty }

    /// Notes one more.
    /// - Returns: Whether the next try has to wait.
    mutating func note(_ key: RetryKey) -> Bool {
        counts[key, default: 0] += 1
        return counts[key]! > Self.limit
    }

    mutating func forget(_ key: RetryKey) {
        counts[key] = nil
    }

    /// Forgets all but these, which are what the plan has now.
    /// - Returns: What was forgotten.
    mutating func keep(only keys: Set<RetryKey>) -> [RetryKey] {
        let over = counts.keys.filter { !keys.contains($0) }
        for key in over { counts[key] = nil }
        return over
    }
}
