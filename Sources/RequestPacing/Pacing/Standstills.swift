/// How often in a row things came to nothing without a failure, because what they were made of had changed meanwhile.
///
/// That is nothing unusual, and each is tried again at once; what repeats waits as after a failure.
struct Standstills<Key: Hashable & Sendable>: Sendable {
    private var counts: [Key: Int] = [:]

    /// So often in a row something is tried again at once.
    private static var limit: Int { 2 }

    var isEmpty: Bool { counts.isEmpty }

    /// Notes one more.
    /// - Returns: Whether the next try has to wait.
    mutating func note(_ key: Key) -> Bool {
        counts[key, default: 0] += 1
        return counts[key]! > Self.limit
    }

    mutating func forget(_ key: Key) {
        counts[key] = nil
    }

    /// Forgets all but these.
    /// - Returns: What was forgotten.
    mutating func keep(only keys: Set<Key>) -> [Key] {
        let over = counts.keys.filter { !keys.contains($0) }
        for key in over { counts[key] = nil }
        return over
    }
}
