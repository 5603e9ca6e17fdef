import Foundation
import LosslessJSON
import SeededRandomness
import Testing

@Suite("Writing")
struct WritingTests {
    @Test("The writer puts commas and colons")
    func compact() {
        var json = JSONWriter()
        json.beginObject()
        json.key("a")
        json.beginArray()
        json.int64(1)
        json.beginObject()
        json.endObject()
        json.double(-0.0)
        json.beginArray()
        json.endArray()
        json.null()
        json.endArray()
        json.key("b")
        json.bool(true)
        json.key("c")
        json.raw(bytes("{\"x\": 1.50}"))
        json.key("d")
        json.int64(.min, quoted: true)
        json.endObject()
        #expect(
            text(json.bytes) == #"{"a":[1,{},-0.0,[],null],"b":true,"c":{"x": 1.50},"d":"-9223372036854775808"}"#)
    }

    @Test(
        "Strings are escaped where they must be and nowhere else",
        arguments: [
            ("", #""""#), ("a/b", #""a/b""#), ("\"\\", #""\"\\""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
            ("\u{0}\u{1B}\u{1F}", #""\u0000\u001b\u001f""#), ("\u{7F}é😀\u{2028}", "\"\u{7F}é😀\u{2028}\""),
        ])
    func escapes(_ string: String, expected: String) throws {
        #expect(text(JSONSpelling.string(string)) == expected)
        #expect(try parse(expected).root.string == string)
    }

    @Test(
        "A double is spelt shortest, and never like an integer",
        arguments: [
            (1, "1.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e16, "1e+16"), (.leastNonzeroMagnitude, "5e-324"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (100, "100.0"),
        ] as [(Double, String)])
    func doubles(_ number: Double, expected: String) throws {
        #expect(text(JSONSpelling.double(number)) == expected)
        #expect(try parse(expected).root.double?.bitPattern == number.bitPattern)
    }

    @Test(
        "The plain rendering keeps order and spellings, and is recognised",
        arguments: [
            (
                #"{"b":1.50,"a":[1,{"x":"\u00e9"},[],{}]}"#,
                "{\n  \"b\": 1.50,\n  \"a\": [\n    1,\n    {\n      \"x\": \"\\u00e9\"\n    },\n    [],\n    {}\n  ]\n}\n"
            ),
            ("{ }", "{}\n"), ("[\n]", "[]\n"), (" 1e400", "1e400\n"), (#"{"a":{}}"#, "{\n  \"a\": {}\n}\n"),
        ])
    func pretty(_ source: String, expected: String) throws {
        let document = try parse(source)
        #expect(text(JSONPretty.document(document)) == expected)
        #expect(!JSONPretty.isPlain(document))
        #expect(JSONPretty.isPlain(try parse(expected)))
        #expect(!JSONPretty.isPlain(try parse(expected + "\n")))
        #expect(!JSONPretty.isPlain(try parse(String(expected.dropLast()))))
    }

    @Test("A new file is rendered from members")
    func members() throws {
        let root = try parse(#"[1, [2, 3]]"#).root
        let values = Array(root.elements)
        let rendered = JSONPretty.document(members: [("a\n", values[0]), ("b", values[1])])
        #expect(text(rendered) == "{\n  \"a\\n\": 1,\n  \"b\": [\n    2,\n    3\n  ]\n}\n")
        #expect(JSONPretty.isPlain(try JSONDocument(parsing: rendered)))
        #expect(text(JSONPretty.document(members: [])) == "{}\n")
        #expect(text(JSONPretty.value(values[1], level: 1)) == "[\n    2,\n    3\n  ]")
    }

    @Test("What is written reads back as the same, in either layout", arguments: 0..<UInt64(200))
    func roundTrip(seed: UInt64) throws {
        var maker = DocumentMaker(random: SeededGenerator(seed: seed))
        let document = try parse(maker.document())
        let model = Model(document.root)
        var json = JSONWriter()
        model.write(to: &json)
        #expect(Model(try JSONDocument(parsing: json.bytes).root) == model)
        #expect(Model(try JSONDocument(parsing: JSONPretty.document(document)).root) == model)
    }

    @Test("What is written, another reader reads alike", arguments: 0..<UInt64(50))
    func foreignReader(seed: UInt64) throws {
        var maker = DocumentMaker(random: SeededGenerator(seed: seed))
        let source = maker.document().replacing("1e400", with: "1e40")
        func shape(_ node: JSONNode) -> NSObject {
            switch node.kind {
            case .object:
                NSDictionary(
                    dictionary: Dictionary(
                        uniqueKeysWithValues: node.members.map { (NSString(string: $0.key), shape($0.value)) }))
            case .array: NSArray(array: node.elements.map { shape($0) })
            case .string: NSString(string: node.string!)
            case .number: node.int64.map { NSNumber(value: $0) } ?? NSNumber(value: node.double!)
            case .bool: NSNumber(value: node.bool!)
            case .null: NSNull()
            }
        }
        guard
            let foreign = try? JSONSerialization.jsonObject(with: Data(source.utf8), options: .fragmentsAllowed)
                as? NSObject
        else { return }  // the foreign reader takes keys of different normal forms for one
        #expect(foreign.isEqual(shape(try parse(source).root)))
    }
}
