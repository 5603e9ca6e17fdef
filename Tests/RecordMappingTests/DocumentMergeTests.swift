import DocumentMerging
import LosslessJSON
import RecordMapping
import SeededRandomness
import Testing

@Suite("Merging two sides of a document")
struct DocumentMergeTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var fact: String
        var base: String?
        var local: String
        var remote: String
        var policy = MergePolicy.remote
        var newest = MergeSide.remote
        var expected: String
        var collisions: [MergeCollision] = []
        var testDescription: String { fact }
    }

    static func document(_ text: String) throws -> JSONDocument {
        try JSONDocument(parsing: Array(text.utf8))
    }

    static func merge(_ row: Row) throws -> DocumentMerge.Result {
        DocumentMerge.merge(
            base: try row.base.map(document), local: try document(row.local), remote: try document(row.remote),
            newest: row.newest, policy: { _ in row.policy })
    }

    static let lines = "\"one\\ntwo\\nthree\\nfour\\n\""

    @Test(
        "One document, three versions",
        arguments: [
            Row(
                fact: "each side's change", base: #"{"a":1,"b":1}"#, local: #"{"a":2,"b":1}"#,
                remote: #"{"a":1,"b":2}"#,
                expected: #"{"a":2,"b":2}"#),
            Row(
                fact: "the zone's layout", base: #"{"a":1,"b":1}"#, local: #"{"a":2,"b":1}"#,
                remote: "{ \"b\" : 2,\n\"a\" : 1 }\n", expected: "{ \"b\" : 2,\n\"a\" : 2 }\n"),
            Row(
                fact: "the folder's layout, where the zone's is as before", base: #"{"a":1,"b":1,"c":1}"#,
                local: "{\n  \"b\": 1,\n  \"a\": 1,\n  \"c\": 1\n}\n", remote: #"{"a":1,"b":2,"d":4}"#,
                expected: "{\n  \"b\": 2,\n  \"a\": 1,\n  \"d\": 4\n}\n"),
            Row(
                fact: "the folder's layout with a value of each side", base: #"{"a":1,"b":1}"#,
                local: "{ \"a\" : 2 , \"b\" : 1 }", remote: #"{"a":1,"b":2}"#, expected: "{ \"a\" : 2 , \"b\" : 2 }"),
            Row(
                fact: "the folder's layout alone", base: #"{"a":1}"#, local: "{ \"a\" : 1 }", remote: #"{"a":1}"#,
                expected: "{ \"a\" : 1 }"),
            Row(
                fact: "the zone's layout alone, with a value of the folder", base: #"{"a":1,"b":1}"#,
                local: #"{"a":2,"b":1}"#, remote: "{ \"a\" : 1 , \"b\" : 1 }", expected: "{ \"a\" : 2 , \"b\" : 1 }"),
            Row(
                fact: "the folder's layout inside objects", base: #"{"o":{"x":1,"y":1}}"#,
                local: "{ \"o\" : { \"x\" : 1 , \"y\" : 1 } }", remote: #"{"o":{"x":2,"y":1}}"#,
                expected: "{ \"o\" : { \"x\" : 2 , \"y\" : 1 } }"),
            Row(
                fact: "an object that the folder emptied has no layout", base: "{\n  \"a\": 1\n}\n", local: "{}\n",
                remote: "{\n  \"a\": 2\n}\n", expected: "{\n  \"a\": 2\n}\n",
                collisions: [MergeCollision(path: ["a"], kept: .remote)]),
            Row(
                fact: "two layouts: the zone's", base: #"{"a":1,"b":1}"#, local: "{ \"a\" : 1 , \"b\" : 1 }",
                remote: "{\"a\": 1, \"b\": 2}", expected: "{\"a\": 1, \"b\": 2}"),
            Row(
                fact: "the same change twice", base: #"{"a":1}"#, local: #"{"a":2}"#, remote: #"{"a": 2}"#,
                expected: #"{"a": 2}"#),
            Row(
                fact: "inside objects", base: #"{"o":{"x":1,"y":1}}"#, local: #"{"o":{"x":2,"y":1}}"#,
                remote: #"{"o":{"x":1,"y":3}}"#, expected: #"{"o":{"x":2,"y":3}}"#),
            Row(
                fact: "a collision, the zone's value", base: #"{"a":1,"b":1}"#, local: #"{"a":2,"b":5}"#,
                remote: #"{"a":3,"b":1}"#, expected: #"{"a":3,"b":5}"#,
                collisions: [MergeCollision(path: ["a"], kept: .remote)]),
            Row(
                fact: "a collision, the folder's value", base: #"{"a":1}"#, local: #"{"a":2}"#, remote: #"{"a":3}"#,
                policy: .local, expected: #"{"a":2}"#, collisions: [MergeCollision(path: ["a"], kept: .local)]),
            Row(
                fact: "a collision, the newest value", base: #"{"a":1}"#, local: #"{"a":2}"#, remote: #"{"a":3}"#,
                policy: .newest, newest: .local, expected: #"{"a":2}"#,
                collisions: [MergeCollision(path: ["a"], kept: .local)]),
            Row(
                fact: "a counter", base: #"{"n":10}"#, local: #"{"n":12}"#, remote: #"{"n":15}"#, policy: .counter,
                expected: #"{"n":17}"#),
            Row(
                fact: "the largest", base: #"{"n":1}"#, local: #"{"n":7}"#, remote: #"{"n":5}"#, policy: .max,
                expected: #"{"n":7}"#),
            Row(
                fact: "the smallest", base: #"{"n":9}"#, local: #"{"n":7}"#, remote: #"{"n":5}"#, policy: .min,
                expected: #"{"n":5}"#),
            Row(
                fact: "a union keeps what either has", base: #"{"t":["a","b"]}"#, local: #"{"t":["a","c"]}"#,
                remote: #"{"t":["b","d"]}"#, policy: .union, expected: #"{"t":["b","d","a","c"]}"#),
            Row(
                fact: "a policy that does not fit falls back to the zone's value", base: #"{"n":1}"#,
                local: #"{"n":"x"}"#, remote: #"{"n":2}"#, policy: .counter, expected: #"{"n":2}"#,
                collisions: [MergeCollision(path: ["n"], kept: .remote)]),
            Row(
                fact: "lists as sets", base: #"{"t":["a","b","c"]}"#, local: #"{"t":["a","b","x","c"]}"#,
                remote: #"{"t":["b","c","y"]}"#, expected: #"{"t":["b","x","c","y"]}"#),
            Row(
                fact: "a list put in another order is one value", base: #"{"t":["a","b"]}"#, local: #"{"t":["b","a"]}"#,
                remote: #"{"t":["a","b","c"]}"#, expected: #"{"t":["a","b","c"]}"#,
                collisions: [MergeCollision(path: ["t"], kept: .remote)]),
            Row(
                fact: "an edit outlives a removal", base: #"{"a":1,"b":1}"#, local: #"{"b":1}"#,
                remote: #"{"a":2,"b":1}"#, expected: #"{"a":2,"b":1}"#,
                collisions: [MergeCollision(path: ["a"], kept: .remote)]),
            Row(
                fact: "an edit outlives a removal, whichever side removed", base: #"{"a":1,"b":1}"#,
                local: #"{"a":2,"b":1}"#, remote: #"{"b":1}"#, expected: #"{"b":1,"a":2}"#,
                collisions: [MergeCollision(path: ["a"], kept: .local)]),
            Row(
                fact: "removals on both sides", base: #"{"a":1,"b":1,"c":1}"#, local: #"{"b":1,"c":1}"#,
                remote: #"{"a":1,"c":1}"#, expected: #"{"c":1}"#),
            Row(
                fact: "without a base, keys of one side are kept", local: #"{"a":1}"#, remote: #"{"b":2}"#,
                expected: #"{"b":2,"a":1}"#),
            Row(
                fact: "without a base, a difference is a collision", local: #"{"a":1}"#, remote: #"{"a":2}"#,
                expected: #"{"a":2}"#, collisions: [MergeCollision(path: ["a"], kept: .remote)]),
            Row(
                fact: "text by lines", base: "{\"s\":\(lines)}", local: #"{"s":"ONE\ntwo\nthree\nfour\n"}"#,
                remote: #"{"s":"one\ntwo\nthree\nfour\nfive\n"}"#, expected: #"{"s":"ONE\ntwo\nthree\nfour\nfive\n"}"#),
            Row(
                fact: "one line changed on both sides", base: "{\"s\":\(lines)}",
                local: #"{"s":"one\nX\nthree\nfour\n"}"#,
                remote: #"{"s":"one\nY\nthree\nfour\n"}"#, expected: #"{"s":"one\nY\nthree\nfour\n"}"#,
                collisions: [MergeCollision(path: ["s"], kept: .remote)]),
            Row(
                fact: "a place is one value", base: #"{"p":{"latitude":1.0,"longitude":1.0}}"#,
                local: #"{"p":{"latitude":2.0,"longitude":1.0}}"#, remote: #"{"p":{"latitude":1.0,"longitude":3.0}}"#,
                expected: #"{"p":{"latitude":1.0,"longitude":3.0}}"#,
                collisions: [MergeCollision(path: ["p", "latitude"], kept: .remote)]),
            Row(
                fact: "a place that one side took away and the other one moved is there whole",
                base: #"{"p":{"latitude":1.0,"longitude":1.0,"a":1}}"#, local: #"{"p":{"a":1}}"#,
                remote: #"{"p":{"latitude":2.0,"longitude":1.0,"a":1}}"#,
                expected: #"{"p":{"latitude":2.0,"longitude":1.0,"a":1}}"#,
                collisions: [MergeCollision(path: ["p", "latitude"], kept: .remote)]),
            Row(
                fact: "half of a place goes with its other half", base: #"{"latitude":1.0,"longitude":1.0}"#,
                local: #"{"latitude":1.0}"#, remote: #"{"latitude":2.0,"longitude":1.0}"#,
                expected: #"{"latitude":2.0,"longitude":1.0}"#,
                collisions: [MergeCollision(path: ["latitude"], kept: .remote)]),
            Row(
                fact: "the larger of two spellings of a number is the same one from either side", base: #"{"n":1}"#,
                local: #"{"n":2}"#, remote: #"{"n":2.0}"#, policy: .max, expected: #"{"n":2}"#),
            Row(
                fact: "and from the other side", base: #"{"n":1}"#, local: #"{"n":2.0}"#, remote: #"{"n":2}"#,
                policy: .max, expected: #"{"n":2}"#),
            Row(
                fact: "keys are compared by their bytes", base: "{}", local: "{\"\u{E9}\":1}",
                remote: "{\"e\u{301}\":2}",
                expected: "{\"e\u{301}\":2,\"\u{E9}\":1}"),
            Row(
                fact: "an explicit form is one value", base: #"{"r":{"$ref":"A/a.json"}}"#,
                local: #"{"r":{"$ref":"A/b.json"}}"#, remote: #"{"r":{"$ref":"A/a.json","action":"DELETE_SELF"}}"#,
                expected: #"{"r":{"$ref":"A/a.json","action":"DELETE_SELF"}}"#,
                collisions: [MergeCollision(path: ["r"], kept: .remote)]),
        ])
    func threeVersions(row: Row) throws {
        let result = try Self.merge(row)
        #expect(String(decoding: result.bytes, as: UTF8.self) == row.expected)
        #expect(result.collisions == row.collisions)
    }

    /// Small documents over few keys and values, so that changes meet.
    static func random(_ random: inout SeededGenerator) -> String {
        var members: [String] = []
        for key in ["a", "b", "c", "d"] where Int.random(in: 0..<5, using: &random) > 0 {
            let values = [
                "1", "2", "\"x\"", "[1,2]", "[2,3]", "[1,2,3]", #"{"x":1}"#, #"{"x":2,"y":1}"#, #"{"y":1}"#, "null",
                #""p\nq\nr""#, #""P\nq\nr""#, #""p\nq\nR""#,
            ]
            members.append("\"\(key)\": \(values.randomElement(using: &random)!)")
        }
        return "{\(members.joined(separator: ", "))}"
    }

    @Test("The laws of merging hold", arguments: 0..<UInt64(300))
    func laws(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (b, x, y) = (Self.random(&random), Self.random(&random), Self.random(&random))
        func merged(
            _ base: String?, _ local: String, _ remote: String, _ policy: MergePolicy = .remote
        ) throws
            -> DocumentMerge.Result
        {
            try Self.merge(Row(fact: "", base: base, local: local, remote: remote, policy: policy, expected: ""))
        }
        func text(_ result: DocumentMerge.Result) -> String { String(decoding: result.bytes, as: UTF8.self) }
        // merge(b, x, x) = x; merge(b, b, y) = y; merge(b, x, b) = x; none of them collides.
        for (result, expected) in [(try merged(b, x, x), x), (try merged(b, b, y), y), (try merged(b, x, b), x)] {
            #expect(text(result) == expected)
            #expect(result.collisions.isEmpty)
        }
        // Absorbing: merging again with a side changes nothing more, and what was merged is a document.
        let once = text(try merged(b, x, y))
        #expect(text(try merged(y, once, y)) == once)
        // Symmetric: the sides swapped and the policy with them give the same value, but for the order of what both added.
        let swapped = try merged(b, y, x, .local)
        #expect(try Shape(once) == Shape(text(swapped)))
        // Without a base nothing that one side alone has is dropped, and differences are named.
        let union = try Self.document(text(try merged(nil, x, y)))
        for side in [x, y] {
            for member in try Self.document(side).root.members { #expect(union.root[member.key] != nil) }
        }
    }

    /// A document's value, with lists as sets.
    indirect enum Shape: Hashable {
        case object([String: Shape])
        case list(Set<Shape>)
        case scalar(String)

        init(_ text: String) throws { self.init(try DocumentMergeTests.document(text).root) }

        init(_ node: JSONNode) {
            switch node.kind {
            case .object:
                self = .object(
                    Dictionary(uniqueKeysWithValues: node.members.map { ($0.key, Shape($0.value)) }))
            case .array: self = .list(Set(node.elements.map { Shape($0) }))
            default: self = .scalar(String(decoding: node.text, as: UTF8.self))
            }
        }
    }
}

@Suite("Merging text by lines")
struct LineMergeTests {
    @Test("Edits far apart merge, whatever they are", arguments: 0..<UInt64(100))
    func farApart(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let lines = (0..<60).map { "line \($0 % 7)" }
        func edited(_ range: Range<Int>, _ mark: String) -> [String] {
            var edited = lines
            for _ in 0..<Int.random(in: 1..<5, using: &random) {
                let at = Int.random(in: range, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: edited[at] += mark
                case 1: edited.insert(mark, at: at)
                default: edited[at] = mark + mark
                }
            }
            return edited
        }
        // The first third is the folder's to change, the last third the zone's; insertions stay within.
        let (local, remote) = (edited(0..<20, "L"), edited(40..<60, "R"))
        let expected = local.dropLast(40) + lines[20..<40] + remote.suffix(remote.count - 40)
        func json(_ lines: some Sequence<String>) -> JSONDocument {
            var json = JSONWriter()
            json.beginObject()
            json.key("s")
            json.string(lines.joined(separator: "\n") + "\n")
            json.endObject()
            return try! JSONDocument(parsing: json.bytes)
        }
        let result = DocumentMerge.merge(base: json(lines), local: json(local), remote: json(remote))
        #expect(result.collisions.isEmpty)
        #expect(result.bytes == json(expected).bytes)
    }
}
