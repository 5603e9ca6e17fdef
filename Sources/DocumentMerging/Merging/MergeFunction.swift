import LosslessJSON
import RecordMapping

/// The policies that make one value of two instead of choosing.
enum MergeFunction {
    /// The joined value's text, or `nil` where the policy is no function or does not fit the values.
    static func join(base: JSONNode?, local: JSONNode, remote: JSONNode, policy: MergePolicy) -> [UInt8]? {
        switch policy {
        case .remote, .local, .newest: nil
        case .counter: base.flatMap { counter(base: $0, local: local, remote: remote) }
        case .max: isLess(local, remote).map { Array(($0 ? remote : local).text) }
        case .min: isLess(local, remote).map { Array(($0 ? local : remote).text) }
        case .union: union(local: local, remote: remote)
        }
    }

    private static func counter(base: JSONNode, local: JSONNode, remote: JSONNode) -> [UInt8]? {
        guard let b = CountedNumber(base), let l = CountedNumber(local), let r = CountedNumber(remote) else {
            return nil
        }
        return CountedNumber.sum(base: b, local: l, remote: r)
    }

    private static func isLess(_ left: JSONNode, _ right: JSONNode) -> Bool? {
        if let l = left.int64, let r = right.int64 { return l < r }
        if left.kind == .number, right.kind == .number { return isLessNumber(left, right) }
        if let l = left.string, let r = right.string { return l.utf8.lexicographicallyPrecedes(r.utf8) }
        return nil
    }

    /// By the decimal values: as doubles, numbers that differ may be equal. What no double comes near, such as 1e400, no field can
    /// have, so that it is told as a collision instead of being the largest.
    private static func isLessNumber(_ left: JSONNode, _ right: JSONNode) -> Bool? {
        guard left.double != nil, right.double != nil, let l = NumberText.normal(left.text),
            let r = NumberText.normal(right.text), let isLess = l.isLess(than: r), let isMore = r.isLess(than: l)
        else { return nil }
        guard isLess == isMore else { return isLess }
        // Two spellings of one number are told apart, so that it does not matter whose is whose.
        return CanonicalJSON.bytes(left).lexicographicallyPrecedes(CanonicalJSON.bytes(right))
    }

    private static func union(local: JSONNode, remote: JSONNode) -> [UInt8]? {
        guard let l = ListMerge.scalars(local), let r = ListMerge.scalars(remote) else { return nil }
        let known = Set(r.map(\.canonical))
        var added: Set<[UInt8]> = []
        let extra = l.filter { !known.contains($0.canonical) && added.insert($0.canonical).inserted }
        return ListMerge.text(r + extra, like: remote)
    }
}
