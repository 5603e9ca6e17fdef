import SeededRandomness

/// Random JSON objects with everything that is hard to bring back: odd numbers, escapes, white space, nesting,
/// keys that are no field names.
struct RandomDocument {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func object() -> [UInt8] {
        let style = Int.random(in: 0..<3, using: &random)
        var keys = [
            "title", "done", "count", "ratio", "tags", "meta", "zonefolder", "a b", "é", "e\u{301}", "", "0x", "_x",
            "naïve", "k\"q", "path", "list", "when",
        ].shuffled(using: &random).prefix(Int.random(in: 0...9, using: &random))
        if style == 0 { keys.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
        var text = style == 2 ? space() : ""
        text += "{"
        for (index, key) in keys.enumerated() {
            if index > 0 { text += "," }
            text += style == 2 ? space() : "\n  "
            text += style == 2 ? string(key) : quoted(key)
            text += style == 2 ? space() + ":" + space() : ": "
            text += value(depth: 0)
            if style == 2 { text += space() }
        }
        text += style == 2 ? space() : keys.isEmpty ? "" : "\n"
        return Array((text + "}" + (style == 2 ? space() : "\n")).utf8)
    }

    mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 3 ? 6 : 9), using: &random) {
        case 0: return pick(["true", "false"])
        case 1: return "null"
        case 2, 3: return number()
        case 4, 5: return string(pick(texts))
        case 6: return list { $0.number() }
        case 7: return list { $0.value(depth: depth + 1) }
        default:
            var members: [String] = []
            for name in texts.shuffled(using: &random).prefix(Int.random(in: 0..<4, using: &random)) {
                members.append(space() + string(name) + space() + ":" + value(depth: depth + 1))
            }
            return "{" + members.joined(separator: ",") + space() + "}"
        }
    }

    private let texts = [
        "", "plain", "é", "e\u{301}", "😀 and \u{7F}", "two\nlines", "a/b\\c\"d", "\u{0}", "2026-01-31T12:00:00.000Z",
        "AAEC", "$other", "\u{2028}", "long " + String(repeating: "x", count: 300),
    ]

    mutating func number() -> String {
        pick([
            "0", "-0", "1", "-1", "1.0", "1e2", "1E+2", "0.1", "0.1000000000000000055", "9007199254740993",
            "9223372036854775807", "-9223372036854775808", "9223372036854775808", "123456789012345678901234567890",
            "1e-400", "1.7976931348623157e308", "5e-324", "-0.0", "3.14159", "100000000000000000000000",
        ])
    }

    /// A text, a number that a double holds exactly as it is spelled, or a list of one of them.
    mutating func plainValue() -> String {
        let numbers = ["0", "1", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808"]
        let fractions = ["0.1", "1.5", "1.0", "-0.0", "1e22", "5e-324", "1.7976931348623157e308"]
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return string(pick(texts))
        case 1: return pick(numbers)
        case 2: return pick(fractions)
        case 3: return "[\(pick(numbers)),\(pick(numbers))]"
        default: return "[\(pick(fractions)), \(pick(fractions))]"
        }
    }

    private mutating func list(_ element: (inout RandomDocument) -> String) -> String {
        var elements: [String] = []
        for _ in 0..<Int.random(in: 0..<4, using: &random) { elements.append(space() + element(&self) + space()) }
        return "[" + elements.joined(separator: ",") + (elements.isEmpty ? space() : "") + "]"
    }

    private mutating func space() -> String {
        pick(["", "", " ", "  ", "\n", "\t", "\r\n", "\n    "])
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices.randomElement(using: &random)!
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.replacingQuotes() + "\""
    }

    /// A string with every character spelled one of the ways in which JSON lets it be.
    private mutating func string(_ text: String) -> String {
        let escapesAll = Int.random(in: 0..<4, using: &random) == 0
        var spelled = ""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                spelled += "\\" + String(scalar)
            } else if scalar == "/", Bool.random(using: &random) {
                spelled += "\\/"
            } else if scalar == "\n", Bool.random(using: &random) {
                spelled += "\\n"
            } else if scalar.value < 0x20 || escapesAll && scalar.value > 0x7E {
                for unit in UTF16.encode(scalar)! {
                    let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
                    spelled += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                spelled.unicodeScalars.append(scalar)
            }
        }
        return "\"" + spelled + "\""
    }
}

extension String {
    fileprivate func replacingQuotes() -> String {
        reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : String($1) }
    }
}
