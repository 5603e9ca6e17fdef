import LosslessJSON

/// A JSON value without spelling and layout: what the laws of merging are about.
indirect enum Value: Hashable, CustomStringConvertible {
    case null
    case bool(Bool)
    case int(Int64)
    /// By its shortest spelling.
    case double(String)
    case text(Text)
    case list([Value])
    case object([Text: Value])

    /// A text, which is its bytes: `String` takes two normal forms for one.
    struct Text: Hashable, Comparable, ExpressibleByStringLiteral {
        let bytes: [UInt8]

        init(_ text: String) { bytes = Array(text.utf8) }

        init(stringLiteral text: String) { self.init(text) }

        var string: String { String(decoding: bytes, as: UTF8.self) }

        static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
    }

    init(_ node: JSONNode) {
        switch node.kind {
        case .null: self = .null
        case .bool: self = .bool(node.bool == true)
        case .string: self = .text(Text(node.string ?? ""))
        case .array: self = .list(node.elements.map { Value($0) })
        case .object:
            self = .object(Dictionary(uniqueKeysWithValues: node.members.map { (Text($0.key), Value($0.value)) }))
        case .number:
            if let int = node.int64 { self = .int(int) } else { self = .double("\(node.double ?? .nan)") }
        }
    }

    init(parsing bytes: [UInt8]) throws { self.init(try JSONDocument(parsing: bytes).root) }

    var isScalar: Bool {
        switch self {
        case .list, .object: false
        default: true
        }
    }

    /// The members of an object; none of anything else.
    var members: [Text: Value] { if case .object(let members) = self { members } else { [:] } }

    /// An object that stands for a value of a type that JSON cannot show.
    var isExplicitForm: Bool {
        guard case .object(let members) = self else { return false }
        let types = members.keys.filter { ["$date", "$ref", "$bytes", "$asset", "$location"].contains($0) }
        guard types.count == 1 else { return false }
        return members.count == 1
            || members.count == 2 && types[0] == "$ref" && members["action"] != nil
    }

    /// Every value that has no members, by the keys that lead to it.
    var leaves: [[Text]: Value] {
        guard case .object(let members) = self, !members.isEmpty else { return [[]: self] }
        var leaves: [[Text]: Value] = [:]
        for (key, value) in members {
            for (path, leaf) in value.leaves { leaves[[key] + path] = leaf }
        }
        return leaves
    }

    var description: String {
        switch self {
        case .null: return "null"
        case .bool(let bool): return "\(bool)"
        case .int(let int): return "\(int)"
        case .double(let text): return text
        case .text(let text): return String(decoding: JSONSpelling.string(text.string), as: UTF8.self)
        case .list(let list): return "[\(list.map(\.description).joined(separator: ","))]"
        case .object(let members):
            let parts = members.sorted { $0.key < $1.key }.map { "\(Value.text($0.key)):\($0.value)" }
            return "{\(parts.joined(separator: ","))}"
        }
    }
}
