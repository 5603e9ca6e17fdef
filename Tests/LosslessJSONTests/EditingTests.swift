import LosslessJSON
import SeededRandomness
import Testing

@Suite("Editing")
struct EditingTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var source: String
        var edits: [JSONEdit]
        var expected: String

        init(_ name: String, _ source: String, _ edits: [JSONEdit], _ expected: String) {
            (self.name, self.source, self.edits, self.expected) = (name, source, edits, expected)
        }

        var testDescription: String { name }
    }

    static let pretty = "{\n  \"a\": 1,\n  \"b\": [1, 2],\n\n  \"c\": {}\n}\n"

    @Test(
        "Edits change what they name",
        arguments: [
            Row(
                "replace", pretty, [.replace(["a"], with: bytes("2"))],
                "{\n  \"a\": 2,\n  \"b\": [1, 2],\n\n  \"c\": {}\n}\n"),
            Row("replace the root", " 1 ", [.replace([], with: bytes("{}"))], " {} "),
            Row(
                "replace an element", pretty, [.replace(["b", 1], with: bytes(" \"x\"\n"))],
                "{\n  \"a\": 1,\n  \"b\": [1, \"x\"],\n\n  \"c\": {}\n}\n"),
            Row("remove the first", pretty, [.remove(["a"])], "{\n  \"b\": [1, 2],\n\n  \"c\": {}\n}\n"),
            Row("remove the middle", pretty, [.remove(["b"])], "{\n  \"a\": 1,\n\n  \"c\": {}\n}\n"),
            Row("remove the last", pretty, [.remove(["c"])], "{\n  \"a\": 1,\n  \"b\": [1, 2]\n}\n"),
            Row("remove two in a row", pretty, [.remove(["a"]), .remove(["b"])], "{\n  \"c\": {}\n}\n"),
            Row("remove all", pretty, [.remove(["c"]), .remove(["a"]), .remove(["b"])], "{}\n"),
            Row("remove inline", #"{"a": 1, "b": 2}"#, [.remove(["a"])], #"{"b": 2}"#),
            Row("remove inline, padded", #"{ "a": 1, "b": 2 }"#, [.remove(["b"])], #"{ "a": 1 }"#),
            Row("remove elements", "[1, 2, 3]", [.remove([0]), .remove([2])], "[2]"),
            Row(
                "append", pretty, [.insert(key: "d", value: bytes("4"))],
                "{\n  \"a\": 1,\n  \"b\": [1, 2],\n\n  \"c\": {},\n  \"d\": 4\n}\n"),
            Row(
                "prepend", pretty, [.insert(key: "d", value: bytes("4"), at: .first)],
                "{\n  \"d\": 4,\n  \"a\": 1,\n  \"b\": [1, 2],\n\n  \"c\": {}\n}\n"),
            Row(
                "after", pretty, [.insert(key: "d", value: bytes("4"), at: .after("a"))],
                "{\n  \"a\": 1,\n  \"d\": 4,\n  \"b\": [1, 2],\n\n  \"c\": {}\n}\n"),
            Row(
                "before", pretty, [.insert(key: "d", value: bytes("4"), at: .before("b"))],
                "{\n  \"a\": 1,\n  \"d\": 4,\n  \"b\": [1, 2],\n\n  \"c\": {}\n}\n"),
            Row(
                "into an empty object", pretty, [.insert(key: "d", value: bytes("4"), into: ["c"])],
                "{\n  \"a\": 1,\n  \"b\": [1, 2],\n\n  \"c\": {\n    \"d\": 4\n  }\n}\n"),
            Row(
                "into an array", pretty, [.insert(element: bytes("3"), into: ["b"])],
                "{\n  \"a\": 1,\n  \"b\": [1, 2, 3],\n\n  \"c\": {}\n}\n"),
            Row(
                "two at one place", pretty,
                [.insert(key: "d", value: bytes("4")), .insert(key: "e", value: bytes("5"))],
                "{\n  \"a\": 1,\n  \"b\": [1, 2],\n\n  \"c\": {},\n  \"d\": 4,\n  \"e\": 5\n}\n"),
            Row(
                "another key in a key's place", pretty,
                [.remove(["b"]), .insert(key: "d", value: bytes("4"), at: .after("b"))],
                "{\n  \"a\": 1,\n  \"d\": 4,\n\n  \"c\": {}\n}\n"),
            Row(
                "the last one for another", pretty, [.remove(["c"]), .insert(key: "c", value: bytes("4"))],
                "{\n  \"a\": 1,\n  \"b\": [1, 2],\n  \"c\": 4\n}\n"),
            Row(
                "all for another", "{\n\t\"a\":1\n}", [.remove(["a"]), .insert(key: "b", value: bytes("2"))],
                "{\n\t\"b\":2\n}"),
            Row(
                "one member, tabs", "{\n\t\"a\":1\n}", [.insert(key: "b", value: bytes("2"))],
                "{\n\t\"a\":1,\n\t\"b\":2\n}"),
            Row("one member, compact", #"{"a":1}"#, [.insert(key: "b", value: bytes("2"))], #"{"a":1,"b":2}"#),
            Row(
                "one member, spaced", #"{"a": 1}"#, [.insert(key: "b", value: bytes("2"), at: .first)],
                #"{"b": 2, "a": 1}"#),
            Row(
                "one member, padded", #"{ "a" : 1 }"#, [.insert(key: "b", value: bytes("2"))], #"{ "a" : 1, "b" : 2 }"#),
            Row(
                "Windows line ends", "{\r\n  \"a\": 1\r\n}\r\n", [.insert(key: "b", value: bytes("2"))],
                "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n"),
            Row(
                "commas in front", "{ \"a\": 1\n, \"b\": 2\n}", [.insert(key: "c", value: bytes("3"))],
                "{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}"),
            Row("an empty document", "{}\n", [.insert(key: "a", value: bytes("1"))], "{\n  \"a\": 1\n}\n"),
            Row("a key with escapes", #"{"a":1}"#, [.insert(key: "\"é\n", value: bytes("2"))], #"{"a":1,"\"é\n":2}"#),
            Row("an escaped key", #"{"\u0061":1}"#, [.replace(["a"], with: bytes("2"))], #"{"\u0061":2}"#),
            Row(
                "many at once", #"{"a":[1,{"b":2}],"c":3}"#,
                [
                    .replace(["c"], with: bytes("4")), .insert(element: bytes("0"), into: ["a"], at: .first),
                    .replace(["a", 1, "b"], with: bytes("5")), .remove(["a", 0]),
                ], #"{"a":[0,{"b":5}],"c":4}"#),
            Row("nothing", pretty, [], pretty),
        ])
    func edits(_ row: Row) throws {
        #expect(text(try parse(row.source).applying(row.edits)) == row.expected)
    }

    @Test(
        "Edits that fit no place are refused",
        arguments: [
            ([.replace(["x"], with: bytes("1"))], .noSuchPlace), ([.remove(["a", "b"])], .noSuchPlace),
            ([.remove(["l", 2])], .noSuchPlace), ([.remove(["l", -1])], .noSuchPlace), ([.remove([])], .wrongKind),
            ([.insert(key: "k", value: bytes("1"), into: ["l"])], .wrongKind),
            ([.insert(element: bytes("1"), into: [])], .wrongKind),
            ([.insert(key: "k", value: bytes("1"), at: .after("x"))], .noSuchPlace),
            ([.insert(key: "a", value: bytes("1"))], .keyExists),
            ([.insert(key: "k", value: bytes("1")), .insert(key: "k", value: bytes("2"))], .overlapping),
            ([.replace(["a"], with: bytes("1")), .replace(["a"], with: bytes("1"))], .overlapping),
            ([.replace(["a"], with: bytes("1")), .remove(["a"])], .overlapping),
            ([.remove(["l"]), .replace(["l", 0], with: bytes("9"))], .overlapping),
            ([.replace(["l"], with: bytes("9")), .remove(["l", 0])], .overlapping),
            ([.remove(["l"]), .insert(element: bytes("9"), into: ["l"])], .overlapping),
            ([.replace(["a"], with: bytes("1,"))], .invalidValue), ([.replace(["a"], with: bytes(""))], .invalidValue),
        ] as [([JSONEdit], JSONEditError.Code)])
    func refuses(_ edits: [JSONEdit], code: JSONEditError.Code) throws {
        let document = try parse(#"{"a": 1, "l": [1, 2]}"#)
        let error = try #require(throws: JSONEditError.self) { try document.applying(edits) }
        #expect(error.code == code)
    }

    @Test("An edit cannot make a document too deep to be read")
    func depth() throws {
        let deep = bytes(String(repeating: "[", count: 511) + String(repeating: "]", count: 511))
        let document = try parse(#"{"a":1,"b":{}}"#)
        #expect(try JSONDocument(parsing: document.applying([.replace(["a"], with: deep)])).root.count == 2)
        #expect(throws: JSONEditError.self) { try document.applying([.replace(["a"], with: [0x5B] + deep + [0x5D])]) }
        #expect(throws: JSONEditError.self) { try document.applying([.insert(key: "k", value: deep, into: ["b"])]) }
    }

    /// Edits a top-level object at random, and a model of it by plain list operations.
    @Test(
        "An edited document means what its edited model means, and what stays keeps its bytes",
        arguments: 0..<UInt64(400))
    func laws(seed: UInt64) throws {
        var maker = DocumentMaker(random: SeededGenerator(seed: seed))
        let document = try parse(maker.space() + maker.object(depth: 3) + maker.space())
        let members = Array(document.root.members)
        var edits: [JSONEdit] = []
        var expected: [Model.Member] = []
        var kept: [[UInt8]] = []
        func insert(_ number: Int, at position: JSONEdit.Position) throws {
            let value = maker.value(depth: 2)
            edits.append(.insert(key: "new\(number)", value: bytes(value), at: position))
            expected.append(Model.Member(key: bytes("new\(number)"), value: Model(try parse(value).root)))
        }
        for (number, member) in members.enumerated() {
            let key = member.key
            if Int.random(in: 0..<5, using: &maker.random) == 0 {
                try insert(number, at: number == 0 ? .first : .before(.key(key)))
            }
            switch Int.random(in: 0..<4, using: &maker.random) {
            case 0: edits.append(.remove([.key(key)]))
            case 1:
                let value = maker.value(depth: 2)
                edits.append(.replace([.key(key)], with: bytes(value)))
                expected.append(Model.Member(key: Array(key.utf8), value: Model(try parse(value).root)))
            default:
                expected.append(Model.Member(key: Array(key.utf8), value: Model(member.value)))
                kept.append(Array(document.bytes[member.keyRange.lowerBound..<member.value.range.upperBound]))
            }
        }
        if Bool.random(using: &maker.random) { try insert(members.count, at: .last) }
        edits.shuffle(using: &maker.random)

        let edited = try JSONDocument(parsing: document.applying(edits))
        #expect(Model(edited.root) == .object(expected))
        let after = edited.root.members.map { Array(edited.bytes[$0.keyRange.lowerBound..<$0.value.range.upperBound]) }
        for member in kept { #expect(after.contains(member)) }
        #expect(document.bytes[..<document.root.range.lowerBound] == edited.bytes[..<edited.root.range.lowerBound])
        #expect(
            document.bytes[document.root.range.upperBound...].elementsEqual(
                edited.bytes[edited.root.range.upperBound...]))
        if edits.isEmpty { #expect(edited.bytes == document.bytes) }
    }

    @Test(
        "An edited list means what its edited model means, at any depth and in any layout", arguments: 0..<UInt64(200))
    func listLaws(seed: UInt64) throws {
        var maker = DocumentMaker(random: SeededGenerator(seed: seed))
        let elements = (0..<Int.random(in: 0...6, using: &maker.random)).map { _ in
            maker.space() + maker.value(depth: 2) + maker.space()
        }
        let list = "[" + (elements.isEmpty ? maker.space() : elements.joined(separator: ",")) + "]"
        let before = "{\(maker.space())\"a\":[\(maker.space())0,{\"l\":\(maker.space())"
        let after = "}\(maker.space())]}"
        let document = try parse(before + list + after)
        let path: JSONEdit.Path = ["a", 1, "l"]
        let node = try #require(document.root["a"]?.elements.first { $0.kind == .object }?["l"])
        var edits: [JSONEdit] = []
        var expected: [Model] = []
        for (index, element) in node.elements.enumerated() {
            if Bool.random(using: &maker.random) {
                edits.append(.insert(element: bytes("\(index)"), into: path, at: .before(.index(index))))
                expected.append(.number(bytes("\(index)")))
            }
            if Bool.random(using: &maker.random) {
                edits.append(.remove(path + [.index(index)]))
            } else {
                expected.append(Model(element))
            }
        }
        if Bool.random(using: &maker.random) {
            edits.append(.insert(element: bytes("\"end\""), into: path))
            expected.append(.string(bytes("end")))
        }
        let edited = try document.applying(edits)
        #expect(edited.starts(with: bytes(before)) && edited.suffix(after.utf8.count).elementsEqual(after.utf8))
        let root = try JSONDocument(parsing: edited).root
        let found = try #require(root["a"]?.elements.first { $0.kind == .object }?["l"])
        #expect(Model(found) == .array(expected))
    }

    @Test("An edit of a plainly rendered document leaves it plain", arguments: 0..<UInt64(200))
    func staysPlain(seed: UInt64) throws {
        var maker = DocumentMaker(random: SeededGenerator(seed: seed))
        let source = try parse(maker.object(depth: 2))
        let document = try JSONDocument(parsing: JSONPretty.document(source))
        var edits: [JSONEdit] = [
            .insert(key: "new", value: bytes("1"), at: Bool.random(using: &maker.random) ? .first : .last)
        ]
        for member in document.root.members {
            if Bool.random(using: &maker.random) {
                edits.append(.remove([.key(member.key)]))
            } else if member.value.kind == .object {
                edits.append(.insert(key: "new", value: bytes("[]"), into: [.key(member.key)]))
            }
        }
        #expect(JSONPretty.isPlain(try JSONDocument(parsing: document.applying(edits))))
    }
}
