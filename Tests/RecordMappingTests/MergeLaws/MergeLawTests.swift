import DocumentMerging
import LosslessJSON
import RecordMapping
import Testing

/// The laws of invariant 13 on random nested documents, each perturbed twice, and a plain second opinion on every merge.
@Suite("The laws of merging (reliability §4.13)")
struct MergeLawTests {
    /// How many examples a seed makes.
    private static let rounds = 25

    /// A base, two perturbations of it, and how to have them again.
    struct Example: CustomStringConvertible {
        var base: Value
        var x: Value
        var y: Value
        var name: String

        var description: String { "\(name)\n base \(base)\n x    \(x)\n y    \(y)" }
    }

    /// Runs a law on the examples of a seed.
    private static func each(_ seed: UInt64, _ law: (Example, inout ValueTape) throws -> Void) throws {
        var tape = ValueTape(seed: seed)
        for round in 0..<rounds {
            let base = tape.document()
            let x = tape.edited(base)
            let y = tape.edited(base)
            try law(Example(base: base, x: x, y: y, name: "seed \(seed), round \(round)"), &tape)
        }
    }

    private static func merge(
        _ base: Value?, _ local: Value, _ remote: Value, _ tape: inout ValueTape, policy: MergePolicy = .remote,
        newest: MergeSide = .remote
    ) throws -> (value: Value, collisions: [MergeCollision]) {
        let result = DocumentMerge.merge(
            base: try base.map { try JSONDocument(parsing: tape.spelled($0)) },
            local: try JSONDocument(parsing: tape.spelled(local)),
            remote: try JSONDocument(parsing: tape.spelled(remote)), newest: newest, policy: { _ in policy })
        return (try Value(parsing: result.bytes), result.collisions)
    }

    @Test(
        "merge(b, x, x) = x, merge(b, b, y) = y and merge(b, x, b) = x, whatever the policy", arguments: 0..<UInt64(10))
    func identities(seed: UInt64) throws {
        try Self.each(seed) { example, tape in
            let (b, x, y) = (example.base, example.x, example.y)
            for policy in MergePolicy.allCases {
                for (local, remote, expected) in [(x, x, x), (b, y, y), (x, b, x)] {
                    let merged = try Self.merge(b, local, remote, &tape, policy: policy)
                    #expect(merged.value == expected, "\(policy) \(example)")
                    #expect(merged.collisions.isEmpty, "\(policy) \(example)")
                }
            }
        }
    }

    @Test("A merge is what the design says, by a second and plainer reading of it", arguments: 0..<UInt64(40))
    func oracle(seed: UInt64) throws {
        try Self.each(seed) { example, tape in
            for policy in MergePolicy.allCases {
                let newest: MergeSide = seed.isMultiple(of: 2) ? .local : .remote
                for base in [example.base, nil] {
                    var oracle = MergeOracle(policy: policy, newest: newest)
                    let expected = oracle.merge(base, example.x, example.y)
                    let merged = try Self.merge(base, example.x, example.y, &tape, policy: policy, newest: newest)
                    let isRight = expected?.isLike(merged.value) ?? false
                    #expect(
                        isRight,
                        """
                        \(policy), \(base == nil ? "no base" : "from the base"), \(example)
                         is   \(merged.value)
                         not  \(expected.map(\.description) ?? "nothing")
                        """)
                    let collisions = Set(merged.collisions.map { $0.path.map { Value.Text($0) } })
                    #expect(collisions == oracle.collisions, "\(policy), \(example)\n is \(merged.value)")
                    #expect(collisions.count == merged.collisions.count, "named twice: \(merged.collisions)")
                }
            }
        }
    }

    @Test("Swapped sides, and the policy with them, give the same", arguments: 0..<UInt64(10))
    func symmetry(seed: UInt64) throws {
        try Self.each(seed) { example, tape in
            for (policy, swapped) in [(MergePolicy.remote, MergePolicy.local), (.max, .max), (.counter, .counter)] {
                // Where a function does not fit, the zone's value is taken: only a collision tells the sides apart.
                let one = try Self.merge(example.base, example.x, example.y, &tape, policy: policy)
                let other = try Self.merge(example.base, example.y, example.x, &tape, policy: swapped)
                #expect(Set(one.collisions.map(\.path)) == Set(other.collisions.map(\.path)), "\(example)")
                guard policy == .remote || one.collisions.isEmpty else { continue }
                #expect(one.value.unordered == other.value.unordered, "\(policy) \(example)")
            }
        }
    }

    @Test("Merging again with a side that is in it changes nothing more", arguments: 0..<UInt64(10))
    func absorption(seed: UInt64) throws {
        try Self.each(seed) { example, tape in
            for policy in [MergePolicy.remote, .max, .min, .union] {
                let once = try Self.merge(example.base, example.x, example.y, &tape, policy: policy).value
                // From the old base, as where its move was lost, and from the side that it was merged with.
                for base in [example.base, example.y] {
                    let twice = try Self.merge(base, once, example.y, &tape, policy: policy)
                    #expect(twice.value == once, "\(policy) \(example)")
                }
            }
            let once = try Self.merge(example.base, example.x, example.y, &tape, policy: .counter).value
            #expect(try Self.merge(example.y, once, example.y, &tape, policy: .counter).value == once, "\(example)")
        }
    }

    @Test("Without an ancestor no differing value is dropped: it is there, or named", arguments: 0..<UInt64(20))
    func withoutBase(seed: UInt64) throws {
        try Self.each(seed) { example, tape in
            let merged = try Self.merge(nil, example.x, example.y, &tape)
            let leaves = merged.value.leaves
            for (path, leaf) in example.y.leaves where !(path.isEmpty || leaf == .object([:])) {
                #expect(leaves[path] == leaf, "\(path.map(\.string)) of y, \(example)\n is \(merged.value)")
            }
            let named = merged.collisions.map { $0.path.map { Value.Text($0) } }
            for (path, leaf) in example.x.leaves where leaves[path] != leaf && leaf != .object([:]) {
                // A place is named by its latitude.
                let isNamed = named.contains { name in
                    path.starts(with: name)
                        || name.last == "latitude" && path.starts(with: name.dropLast())
                            && path.dropFirst(name.count - 1).first == "longitude"
                }
                #expect(isNamed, "\(path.map(\.string)) of x, \(example)\n is \(merged.value)")
            }
        }
    }

    @Test("What one side alone changed is there, however much the other one changed", arguments: 0..<UInt64(20))
    func oneSidedChange(seed: UInt64) throws {
        try Self.each(seed) { example, tape in
            let merged = try Self.merge(example.base, example.x, example.y, &tape).value
            let place: Set<Value.Text> = ["latitude", "longitude"]
            for key in Set(example.x.members.keys).union(example.y.members.keys) where !place.contains(key) {
                let (b, x, y) = (example.base.members[key], example.x.members[key], example.y.members[key])
                if x == b { #expect(merged.members[key] == y, "\(key.string), \(example)") }
                if y == b { #expect(merged.members[key] == x, "\(key.string), \(example)") }
            }
        }
    }
}

extension Value {
    /// With every list in one order: where both sides added elements, whose come first is a matter of sides.
    var unordered: Value {
        switch self {
        case .list(let list): .list(list.map(\.unordered).sorted { $0.description < $1.description })
        case .object(let members): .object(members.mapValues(\.unordered))
        default: self
        }
    }
}
