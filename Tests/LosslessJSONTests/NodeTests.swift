import LosslessJSON
import Testing

@Suite("Nodes")
struct NodeTests {
    @Test(
        "A number is an Int64 only as an integer literal in range",
        arguments: [
            ("0", 0), ("-1", -1), ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .max),
            ("-9223372036854775808", .min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
            ("99999999999999999999999", nil), ("-0", nil), ("1.0", nil), ("1e2", nil), ("\"1\"", nil), ("true", nil),
        ] as [(String, Int64?)])
    func integers(_ source: String, expected: Int64?) throws {
        #expect(try parse(source).root.int64 == expected)
    }

    @Test(
        "A number is the nearest double, or none where that is not finite",
        arguments: [
            ("0", 0), ("-0", -0.0), ("0.1", 0.1), ("1e308", 1e308), ("1e400", nil), ("-1e400", nil),
            ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0), ("9007199254740993", 9_007_199_254_740_992),
            ("1E+2", 100),
            ("9223372036854775808", 9_223_372_036_854_775_808), ("null", nil), ("\"1\"", nil),
        ] as [(String, Double?)])
    func doubles(_ source: String, expected: Double?) throws {
        #expect(try parse(source).root.double?.bitPattern == expected?.bitPattern)
    }

    @Test(
        "A string stands for its characters",
        arguments: [
            (#""""#, ""), (#""é""#, "é"), (#""\u00e9\u00E9""#, "éé"), (#""\ud83d\ude00!""#, "😀!"),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0000x""#, "\u{0}x"),
            (#""a\uFFFFb""#, "a\u{FFFF}b"),
        ])
    func strings(_ source: String, expected: String) throws {
        let string = try #require(try parse(source).root.string)
        #expect(string.utf8.elementsEqual(expected.utf8))
    }

    @Test("Every node has its text as written and its place")
    func places() throws {
        let source = #"{ "a\u0062" : [1.50, {"x":null}], "c": "\/" }"#
        let document = try parse(source)
        let members = Array(document.root.members)
        #expect(members.map(\.key) == ["ab", "c"])
        #expect(members.map { text($0.keyText) } == [#""a\u0062""#, #""c""#])
        #expect(text(document.bytes[members[0].keyRange]) == #""a\u0062""#)
        #expect(members.map { text($0.value.text) } == [#"[1.50, {"x":null}]"#, #""\/""#])
        #expect(members[0].value.elements.map { text($0.text) } == ["1.50", #"{"x":null}"#])
        #expect(text(document.bytes[document.root.range]) == source)
        #expect(members[0].hasKey("ab") && !members[0].hasKey("a"))
    }

    @Test("A view of the wrong kind is nil or empty")
    func wrongKinds() throws {
        let root = try parse(#"[1,"s",true,null,{}]"#).root
        let kinds = root.elements.map(\.kind)
        #expect(kinds == [.number, .string, .bool, .null, .object])
        for element in root.elements {
            #expect((element.string != nil) == (element.kind == .string))
            #expect((element.bool != nil) == (element.kind == .bool))
            #expect((element.double != nil) == (element.kind == .number))
            #expect(element.isNull == (element.kind == .null))
            #expect(element["a"] == nil)
            #expect(element.members.isEmpty && element.elements.isEmpty && element.count == 0)
        }
        #expect(root["0"] == nil)
        #expect(root.members.isEmpty && root.elements.count == 5)
    }
}
