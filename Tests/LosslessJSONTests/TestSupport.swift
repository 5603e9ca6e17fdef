import LosslessJSON
import SeededRandomness

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

func parse(_ text: String) throws -> JSONDocument { try JSONDocument(parsing: bytes(text)) }

/// What a document means, with numbers by their spelling: the model that edits are compared with.
indirect enum Model: Equatable {
    case object([Member])
    case array([Model])
    case string([UInt8])
    case number([UInt8])
    case bool(Bool)
    case null

    struct Member: Equatable {
        var key: [UInt8]
        var value: Model
    }

    init(_ node: JSONNode) {
        switch node.kind {
        case .object: self = .object(node.members.map { Member(key: Array($0.key.utf8), value: Model($0.value)) })
        case .array: self = .array(node.elements.map { Model($0) })
        case .string: self = .string(Array(node.string!.utf8))
        case .number: self = .number(Array(node.text))
        case .bool: self = .bool(node.bool!)
        case .null: self = .null
        }
    }

    func write(to json: inout JSONWriter) {
        switch self {
        case .object(let members):
            json.beginObject()
            for member in members {
                json.key(text(member.key))
                member.value.write(to: &json)
            }
            json.endObject()
        case .array(let elements):
            json.beginArray()
            for element in elements { element.write(to: &json) }
            json.endArray()
        case .string(let characters): json.string(text(characters))
        case .number(let spelling): json.raw(spelling)
        case .bool(let value): json.bool(value)
        case .null: json.null()
        }
    }
}

/// Makes documents of every shape, in every layout.
struct DocumentMaker {
    var random: SeededGenerator

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func space() -> String {
        chance(60) ? "" : [" ", "\n", "\t", "\r\n", "\n  ", "  ", "\n\n\t"].randomElement(using: &random)!
    }

    mutating func string() -> String {
        let parts = [
            "a", "key", "é", "e\u{301}", "日本", "😀", #"\n"#, #"\""#, #"\\"#, #"\/"#, #"\u00e9"#, #"\uD83D\uDE00"#, " ",
            "\u{7F}",
        ]
        var result = ""
        for _ in 0..<Int.random(in: 0...4, using: &random) { result += parts.randomElement(using: &random)! }
        return result
    }

    mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0: return "null"
        case 1: return chance(50) ? "true" : "false"
        case 2: return "\"" + string() + "\""
        case 3, 4:
            return [
                "0", "-0", "1.0", "-1", "1e400", "1E+2", "9007199254740993", "-9223372036854775808", "0.10", "5e-324",
            ]
            .randomElement(using: &random)!
        case 5:
            let elements = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                space() + value(depth: depth - 1) + space()
            }
            return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
        default: return object(depth: depth)
        }
    }

    mutating func object(depth: Int) -> String {
        var members: [String] = []
        for number in 0..<Int.random(in: 0...(chance(10) ? 20 : 5), using: &random) {
            members.append(
                "\(space())\"\(string())\(number)\"\(space()):\(space())\(value(depth: depth - 1))\(space())")
        }
        return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
    }

    mutating func document() -> String { space() + value(depth: 4) + space() }
}
