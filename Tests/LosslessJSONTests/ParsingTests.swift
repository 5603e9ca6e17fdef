import LosslessJSON
import Testing

@Suite("Parsing")
struct ParsingTests {
    @Test(
        "What the RFC allows is read",
        arguments: [
            "{}", "[]", "null", "true", "false", "\"\"", "0", "-0", " \t\r\n1 \n", "[[[]]]", #"{"a":{"b":[1,2,{}]}}"#,
            "0.5", "1e5", "1E-5", "1e+5", "-0.0e0", "123456789012345678901234567890", "1e400", #""\"\\\/\b\f\n\r\t""#,
            #""\u00e9\u0000\uD83D\ude00""#, "\"\u{7F}\u{10FFFF}é\u{FEFF}\"", #"{"":0}"#, "[1,\r2]",
        ])
    func accepts(_ source: String) throws {
        let document = try parse(source)
        #expect(document.bytes == bytes(source))
    }

    @Test(
        "What the RFC forbids is refused at its place, by its kind",
        arguments: [
            ("", .unexpectedEnd, 1, 1), ("  \n ", .unexpectedEnd, 2, 2), ("{", .unexpectedEnd, 1, 2),
            ("[1", .unexpectedEnd, 1, 3), (#"{"a""#, .unexpectedEnd, 1, 5), (#"{"a":"#, .unexpectedEnd, 1, 6),
            ("[1,]", .trailingComma, 1, 4), (#"{"a":1,}"#, .trailingComma, 1, 8), ("[,1]", .unexpectedCharacter, 1, 2),
            ("{,}", .unexpectedCharacter, 1, 2), ("[1 2]", .unexpectedCharacter, 1, 4),
            ("[1}", .unexpectedCharacter, 1, 3),
            ("{]", .unexpectedCharacter, 1, 2), (#"{"a" 1}"#, .unexpectedCharacter, 1, 6),
            ("{a:1}", .unexpectedCharacter, 1, 2), ("{'a':1}", .unexpectedCharacter, 1, 2),
            ("1 2", .trailingContent, 1, 3), ("{}}", .trailingContent, 1, 3), ("nul", .unexpectedCharacter, 1, 1),
            ("True", .unexpectedCharacter, 1, 1), ("nullx", .trailingContent, 1, 5),
            ("NaN", .unexpectedCharacter, 1, 1),
            ("Infinity", .unexpectedCharacter, 1, 1), ("// c\n1", .unexpectedCharacter, 1, 1),
            ("01", .invalidNumber, 1, 1), ("-01", .invalidNumber, 1, 1), ("-", .invalidNumber, 1, 2),
            ("1.", .invalidNumber, 1, 3), ("1.e1", .invalidNumber, 1, 3), ("1e", .invalidNumber, 1, 3),
            ("1e+", .invalidNumber, 1, 4), (".5", .unexpectedCharacter, 1, 1), ("+1", .unexpectedCharacter, 1, 1),
            ("-.5", .invalidNumber, 1, 2), ("0x10", .trailingContent, 1, 2), ("\"a", .unterminatedString, 1, 1),
            ("\"a\\", .unterminatedString, 1, 3), ("[\n\"a\nb\"]", .controlCharacter, 2, 3),
            ("\"a\tb\"", .controlCharacter, 1, 3), ("\"a\u{0}b\"", .controlCharacter, 1, 3),
            (#""\x41""#, .invalidEscape, 1, 2), (#""\u12g4""#, .invalidEscape, 1, 2),
            (#""\u12""#, .invalidEscape, 1, 2),
            (#""\'""#, .invalidEscape, 1, 2), (#""é\ud83d""#, .loneSurrogate, 1, 3),
            (#""\ude00""#, .loneSurrogate, 1, 2),
            (#""\ud83d\u0041""#, .loneSurrogate, 1, 2), (#""\ud83d\ud83d""#, .loneSurrogate, 1, 2),
            ("\u{FEFF}\u{FEFF}{}", .unexpectedCharacter, 1, 2), ("\u{FEFF}", .unexpectedEnd, 1, 2),
            ("{\u{FEFF}}", .unexpectedCharacter, 1, 2), ("\u{A0}1", .unexpectedCharacter, 1, 1),
            ("[1,\r\n 2,\r 3,\n x]", .unexpectedCharacter, 4, 2),
        ] as [(String, JSONError.Code, Int, Int)])
    func refuses(_ source: String, code: JSONError.Code, line: Int, column: Int) throws {
        let error = try #require(throws: JSONError.self) { try parse(source) }
        #expect(error.code == code)
        #expect([error.line, error.column] == [line, column])
        #expect(!error.message.isEmpty)
    }

    @Test("A byte order mark before the text is kept, and edits leave it where it is")
    func byteOrderMark() throws {
        let bytes = JSONDocument.byteOrderMark + Array(" {\"a\": 1}".utf8)
        let document = try JSONDocument(parsing: bytes)
        #expect(document.bytes == bytes)
        #expect(document.root.range == 4..<bytes.count)
        #expect(document.root["a"]?.int64 == 1)
    }

    @Test(
        "Bytes that are no UTF-8 are refused",
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE2, 0x82],
            [0xED, 0xA0, 0x80], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE], [0xF0, 0x9F, 0x98],
            [0xF0, 0x9F, 0x98, 0x28],
        ] as [[UInt8]])
    func refusesBadUTF8(_ sequence: [UInt8]) throws {
        let quote = UInt8(ascii: "\"")
        let error = try #require(throws: JSONError.self) {
            try JSONDocument(parsing: [quote] + sequence + [quote])
        }
        #expect(error.code == .invalidUTF8)
        #expect(error.offset == 1)
        let cut = try #require(throws: JSONError.self) { try JSONDocument(parsing: [quote] + sequence) }
        #expect(cut.code == .invalidUTF8)
    }

    @Test(
        "Two members with one key are refused, with the key and both lines",
        arguments: [
            "{\n\"a\": 1,\n\"a\": 2}", "{\n\"a\": 1,\n\"\\u0061\": 2}", "{\n\"\\u0061\": {},\n\"a\": []}",
        ])
    func duplicateKeys(_ source: String) throws {
        let error = try #require(throws: JSONError.self) { try parse(source) }
        #expect(error.code == .duplicateKey)
        #expect(error.line == 3)
        #expect(error.message.contains("\"a\""))
        #expect(error.message.contains("on line 2 and on line 3"))
    }

    @Test("Two members with one key on one line are told with that line once")
    func duplicateKeysOnOneLine() throws {
        let error = try #require(throws: JSONError.self) { try parse("{\n\"a\": 1, \"a\": 2}") }
        #expect(error.message.contains("twice, both times on line 2."))
    }

    @Test("A duplicate key is found in an object of any size", arguments: [1, 2, 7, 8, 9, 10, 100, 5000])
    func duplicateAmongMany(count: Int) throws {
        let members = (0..<count).map { "\"key\($0)\":\($0)" }
        #expect(try parse("{" + members.joined(separator: ",") + "}").root.count == count)
        let error = try #require(throws: JSONError.self) {
            try parse("{" + (members + ["\"\\u006bey0\":0"]).joined(separator: ",") + "}")
        }
        #expect(error.code == .duplicateKey)
    }

    @Test("Keys in different Unicode normal forms are two keys")
    func normalForms() throws {
        let document = try parse("{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(document.root.count == 2)
        #expect(document.root["\u{E9}"]?.int64 == 1)
        #expect(document.root["e\u{301}"]?.int64 == 2)
    }

    @Test("The same key may occur in different objects")
    func sameKeyElsewhere() throws {
        #expect(try parse(#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}"#).root["a"]?["a"]?["a"]?.int64 == 1)
    }

    @Test("Nesting is read to 512 levels and refused beyond")
    func depth() throws {
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(try parse(deep).root.kind == .array)
        let error = try #require(throws: JSONError.self) { try parse("[" + deep + "]") }
        #expect(error.code == .tooDeep)
        #expect(error.column == 513)
    }
}
