/// Files that are called JSON and are odd: what no JSON is, what no record can hold, and what looks odd and is well.
///
/// Of the same kinds as in test suites for JSON parsers, made up for this one.
enum OddJSON {
    struct Row: Sendable {
        let name: String
        let bytes: [UInt8]
        /// Whether a structured record can hold it.
        let fits: Bool
    }

    /// Each in a folder of its own, so that no type of a field is another one's matter.
    static let rows: [Row] = {
        var rows: [Row] = []
        func add(_ kind: String, _ texts: [[UInt8]], fits: Bool) {
            for (number, bytes) in texts.enumerated() {
                rows.append(Row(name: "\(kind)\(number)/it.json", bytes: bytes, fits: fits))
            }
        }
        add("Broken", (ends + punctuation + comments + words + marks).map { Array($0.utf8) }, fits: false)
        add("Number", numbers.map { Array("{\"a\": \($0)}".utf8) }, fits: false)
        add("Text", texts.map { Array("{\"a\": \($0)}".utf8) }, fits: false)
        add("Key", keys.map { Array($0.utf8) }, fits: false)
        add("Bytes", bytes, fits: false)
        add("Deep", deep.map { Array($0.utf8) }, fits: false)
        add("Form", forms.map { Array("{\"a\": \($0)}".utf8) }, fits: false)
        add("Well", well.map { Array($0.utf8) }, fits: true)
        return rows
    }()

    private static let ends = [
        "", " ", "\n", "{", "}", "{\"a\"", "{\"a\":", "{\"a\": 1", "{\"a\": [1", "{\"a\": {\"b\": 1}", "{\"a\": \"b",
        "{\"a\": 1}}", "{\"a\": 1}{\"b\": 2}", "{\"a\": 1}\n{\"b\": 2}\n", "{\"a\": 1} x", "{\"a\": 1}\u{0}",
        "{\"a\": 1},",
    ]
    private static let punctuation = [
        "{]", "{,}", "{\"a\"}", "{\"a\": }", "{\"a\": 1,}", "{\"a\": 1,, \"b\": 2}", "{\"a\": 1 \"b\": 2}",
        "{\"a\" 1}", "{\"a\":: 1}", "{\"a\" = 1}", "{\"a\": [1,]}", "{\"a\": [,1]}", "{\"a\": [1 2]}", "{\"a\": 1]",
        "{{}}", "{\"a\": 1;}",
    ]
    private static let comments = [
        "// c\n{}", "/* c */ {}", "{\"a\": 1 // c\n}", "{\"a\": /* c */ 1}", "# c\n{}", "<!-- c --> {}",
    ]
    private static let words = [
        "{a: 1}", "{'a': 1}", "{\"a\": 'b'}", "{\"a\": b}", "{1: 2}", "{null: 1}", "{true}", "{\"a\": True}",
        "{\"a\": nul}", "{\"a\": undefined}", "abc", "a: 1\n", "<a>1</a>", "*",
    ]
    private static let marks = ["\u{FEFF}", "\u{FEFF}\u{FEFF}{}", "{\u{FEFF}}", "\u{A0}{}", "{}\u{2028}", "{\u{B}}"]
    private static let numbers = [
        "NaN", "Infinity", "-Infinity", "01", "-01", "1.", ".5", "+1", "1e", "1e+", "0x10", "1_000", "-", "--1",
        "1e400", "-1e400", "1" + String(repeating: "0", count: 400), "1,5", "1.2.3",
    ]
    private static let texts = [
        "\"\\x41\"", "\"\\u12g4\"", "\"\\u12\"", "\"\\'\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"",
        "\"a\tb\"", "\"a\nb\"", "\"a\u{0}b\"", "\"\\\"",
    ]
    private static let keys = [
        "{\"a\": 1, \"a\": 2}", "{\"a\": 1, \"\\u0061\": 1}", "{\"b\": {\"a\": 1, \"a\": 1}}", "{\"\": 1, \"\": 2}",
    ]
    private static let bytes: [[UInt8]] = [
        Array("{\"a\": \"".utf8) + [0xE9] + Array("\"}".utf8),
        Array("{\"a\": \"".utf8) + [0xC0, 0xAF] + Array("\"}".utf8),
        Array("{\"a\": \"".utf8) + [0xED, 0xA0, 0x80] + Array("\"}".utf8), [0x7B, 0x80, 0x7D], [0x7B, 0x7D, 0xFF],
        [0xFF, 0xFE, 0x7B, 0, 0x7D, 0], [0xFE, 0xFF, 0, 0x7B, 0, 0x7D], [0xEF, 0xBB, 0x7B, 0x7D], [0x1F, 0x8B, 8, 0],
    ]
    private static let deep = [
        "{\"a\": \(nested(512, "[", "]"))}", nested(513, "{\"a\": ", "}", around: "1"),
        "{\"a\": \(nested(50_000, "[", "]"))}", "{\"a\": " + String(repeating: "[", count: 50_000),
    ]
    private static let forms = [
        "{\"$date\": \"yesterday\"}", "{\"$bytes\": \"***\"}", "{\"$asset\": \"../../../etc/passwd\"}",
        "{\"$ref\": \"Note/a.json\", \"action\": \"NEVER\"}",
    ]
    private static let well = [
        "{}", " {} ", "\u{FEFF}{}", "\u{FEFF}{\n  \"a\": 1\n}\n", "\u{FEFF}\r\n{\r\n\t\"a\" :1 ,\"b\":null}\r\n",
        "\t{\"a\"\n:\r1}\n\n", "{\"\": 0}", "{\"a\\u0000b\": 1}", "{\"é\": \"ü\"}", "{\"a\": null}", "{\"a\": []}",
        "{\"a\": {}}", "{\"a\": [[], {}]}", "{\"a\": 1e5}", "{\"a\": -0}", "{\"a\": -0.0}", "{\"a\": 1.0}",
        "{\"a\": 9223372036854775807}", "{\"a\": 9223372036854775808}", "{\"a\": {\"b\": 1e400}}",
        "{\"a\": \"\\ud83d\\ude00\"}", "{\"a\": 1, \"A\": 2}", "{\"a\": [1, \"b\", null]}",
        "{\"a\": \(nested(511, "[", "]"))}", "{\"a\":true,\"b\":[false]}",
    ]

    private static func nested(_ depth: Int, _ open: String, _ close: String, around text: String = "") -> String {
        String(repeating: open, count: depth) + text + String(repeating: close, count: depth)
    }
}
