import DocumentMerging
import RecordMapping

/// Merging as design.md §6 says it, written for plainness: what ``DocumentMerge`` is measured by.
struct MergeOracle {
    /// A value of the merge: as one side has it, or a list of which the elements are certain and the order is not.
    indirect enum Merged: CustomStringConvertible {
        case value(Value)
        case set(Set<Value>)
        case object([Value.Text: Merged])

        func isLike(_ value: Value) -> Bool {
            switch (self, value) {
            case (.value(let own), _): return own == value
            case (.set(let own), .list(let list)): return Set(list) == own && list.count == own.count
            case (.object(let own), .object(let members)):
                return own.count == members.count
                    && own.allSatisfy { key, merged in members[key].map { merged.isLike($0) } ?? false }
            default: return false
            }
        }

        var description: String {
            switch self {
            case .value(let value): return value.description
            case .set(let set): return "{\(set.map(\.description).sorted().joined(separator: " | "))}"
            case .object(let members):
                return
                    "{\(members.sorted { $0.key < $1.key }.map { "\($0.key.string): \($0.value)" }.joined(separator: ", "))}"
            }
        }
    }

    var policy = MergePolicy.remote
    var newest = MergeSide.remote
    private(set) var collisions: Set<[Value.Text]> = []

    init(policy: MergePolicy = .remote, newest: MergeSide = .remote) {
        self.policy = policy
        self.newest = newest
    }

    /// The side whose value a collision leaves.
    private mutating func collision(at path: [Value.Text]) -> MergeSide {
        collisions.insert(path)
        switch policy {
        case .local: return .local
        case .newest: return newest
        default: return .remote
        }
    }

    mutating func merge(_ base: Value?, _ local: Value?, _ remote: Value?, at path: [Value.Text] = []) -> Merged? {
        // One side changed, or both did alike.
        if local == remote || base == local { return remote.map(Merged.value) }
        if base == remote { return local.map(Merged.value) }
        // An edit outlives a removal. Without a base, nobody removed anything.
        guard let local, let remote else {
            if base != nil { collisions.insert(path) }
            return (local ?? remote).map(Merged.value)
        }
        if let joined = function(base, local, remote) { return joined }
        if case .object = local, case .object = remote, !local.isExplicitForm, !remote.isExplicitForm {
            return object(base, local, remote, at: path)
        }
        if case .text(let b)? = base, case .text(let l) = local, case .text(let r) = remote,
            let text = Self.lines(b.string, l.string, r.string)
        {
            return .value(.text(Value.Text(text)))
        }
        if case .list(let b)? = base, case .list(let l) = local, case .list(let r) = remote,
            let set = Self.set(b, l, r)
        {
            return .set(set)
        }
        return .value(collision(at: path) == .local ? local : remote)
    }

    private mutating func object(_ base: Value?, _ local: Value, _ remote: Value, at path: [Value.Text]) -> Merged {
        let (b, l, r) = (base?.members ?? [:], local.members, remote.members)
        var merged: [Value.Text: Merged] = [:]
        var keys = Set(b.keys).union(l.keys).union(r.keys)
        let place: [Value.Text] = ["latitude", "longitude"]
        if [b, l, r].contains(where: { version in place.allSatisfy { version[$0] != nil } }) {
            keys.subtract(place)
            // One value: the place as a whole.
            let (bPlace, lPlace, rPlace) = (place.map { b[$0] }, place.map { l[$0] }, place.map { r[$0] })
            let kept: [Value?]
            if lPlace == rPlace || lPlace == bPlace {
                kept = rPlace
            } else if rPlace == bPlace {
                kept = lPlace
            } else if lPlace == [nil, nil] || rPlace == [nil, nil] {
                if bPlace != [nil, nil] { collisions.insert(path + [place[0]]) }
                kept = lPlace == [nil, nil] ? rPlace : lPlace
            } else {
                kept = collision(at: path + [place[0]]) == .local ? lPlace : rPlace
            }
            for (key, value) in zip(place, kept) { merged[key] = value.map(Merged.value) }
        }
        for key in keys { merged[key] = merge(b[key], l[key], r[key], at: path + [key]) }
        return .object(merged)
    }

    // MARK: What joins two values

    private func function(_ base: Value?, _ local: Value, _ remote: Value) -> Merged? {
        switch (policy, local, remote) {
        case (.counter, .int(let l), .int(let r)):
            if case .int(let b)? = base { return .value(.int(r + l - b)) }
            if case .double(let b)? = base { return Self.counted(Double(b), Double(l), Double(r)) }
            return nil
        case (.counter, _, _):
            guard let b = base.flatMap(Self.number), let l = Self.number(local), let r = Self.number(remote) else {
                return nil
            }
            return Self.counted(b, l, r)
        case (.max, _, _): return Self.isLess(local, remote).map { .value($0 ? remote : local) }
        case (.min, _, _): return Self.isLess(local, remote).map { .value($0 ? local : remote) }
        case (.union, .list(let l), .list(let r)) where (l + r).allSatisfy(\.isScalar):
            return .value(.list(l.reduce(into: r) { if !$0.contains($1) { $0.append($1) } }))
        default: return nil
        }
    }

    /// Exact or not at all; every number of the tape is a whole number of halves.
    private static func counted(_ base: Double?, _ local: Double?, _ remote: Double?) -> Merged? {
        let halves = [base, local, remote].compactMap { number in number.flatMap { Int128(exactly: $0 * 2) } }
        guard halves.count == 3, let sum = Double(exactly: halves[2] + halves[1] - halves[0]) else { return nil }
        return .value(.double("\(sum / 2)"))
    }

    private static func number(_ value: Value) -> Double? {
        switch value {
        case .int(let int): Double(int)
        case .double(let text): Double(text)
        default: nil
        }
    }

    private static func isLess(_ left: Value, _ right: Value) -> Bool? {
        if case .text(let l) = left, case .text(let r) = right { return l < r }
        guard let l = number(left), let r = number(right) else { return nil }
        // Of 2 and 2.0, which is a matter of taste, the integer counts as the larger one.
        if l == r, case .int = right, case .double = left { return true }
        return l < r
    }

    /// What either side added is in, what either side removed is out; `nil` where one did more than that.
    private static func set(_ base: [Value], _ local: [Value], _ remote: [Value]) -> Set<Value>? {
        let all = [base, local, remote]
        guard all.allSatisfy({ $0.allSatisfy(\.isScalar) && Set($0).count == $0.count }) else { return nil }
        for side in [local, remote] {
            guard side.filter(base.contains) == base.filter(side.contains) else { return nil }
        }
        let stayed = base.filter { local.contains($0) && remote.contains($0) }
        return Set(stayed + (local + remote).filter { !base.contains($0) })
    }

    /// Merges text whose lines are each there once; `nil` where both changed the same place, or it is one line.
    private static func lines(_ base: String, _ local: String, _ remote: String) -> String? {
        guard base.utf8.contains(10) else { return nil }
        func split(_ text: String) -> [String] {
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let last = lines.removeLast()
            lines = lines.map { $0 + "\n" }
            return last.isEmpty ? lines : lines + [last]
        }
        var (b, l, r) = (split(base)[...], split(local)[...], split(remote)[...])
        let stable = b.filter { l.contains($0) && r.contains($0) }.map(Optional.some) + [nil]
        var merged: [String] = []
        for line in stable {
            func take(_ side: inout ArraySlice<String>) -> [String] {
                let part = Array(side.prefix { $0 != line })
                side = side.dropFirst(part.count + 1)
                return part
            }
            let (old, ours, theirs) = (take(&b), take(&l), take(&r))
            if ours == theirs || ours == old {
                merged += theirs
            } else if theirs == old {
                merged += ours
            } else {
                return nil
            }
            if let line { merged.append(line) }
        }
        return merged.joined()
    }
}
