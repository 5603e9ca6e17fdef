import LosslessJSON

/// A JSON value by what it says, whatever its layout: texts byte by byte, numbers to the last digit.
enum ExactJSON: Hashable {
    case object([[UInt8]: ExactJSON])
    case array([ExactJSON])
    case text([UInt8])
    case number(isNegative: Bool, digits: [UInt8], exponent: Int)
    case word([UInt8])

    init(_ bytes: [UInt8]) throws {
        self.init(try JSONDocument(parsing: bytes).root)
    }

    init(_ node: JSONNode) {
        switch node.kind {
        case .object:
            var members: [[UInt8]: ExactJSON] = [:]
            for member in node.members { members[Array(member.key.utf8)] = ExactJSON(member.value) }
            self = .object(members)
        case .array: self = .array(node.elements.map { ExactJSON($0) })
        case .string: self = .text(Array((node.string ?? "").utf8))
        case .number: self = Self.number(String(decoding: node.text, as: UTF8.self))
        case .bool, .null: self = .word(Array(node.text))
        }
    }

    private static func number(_ text: String) -> ExactJSON {
        let parts = text.lowercased().split(separator: "e")
        let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        var exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - (mantissa.count > 1 ? mantissa[1].count : 0)
        var digits = Array(mantissa.joined().utf8.drop { $0 == UInt8(ascii: "0") })
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        return .number(isNegative: text.hasPrefix("-"), digits: digits, exponent: digits.isEmpty ? 0 : exponent)
    }

    /// Whether CloudKit's own types hold all of it: an object of texts, numbers and lists of them.
    var isPlainRecord: Bool {
        guard case .object(let members) = self else { return false }
        return members.allSatisfy { key, value in
            guard Self.isFieldName(key) else { return false }
            switch value {
            case .text, .number: return true
            case .array(let list):
                return !list.isEmpty && (list.allSatisfy(\.isText) || list.allSatisfy(\.isNumber))
            case .object, .word: return false
            }
        }
    }

    private var isText: Bool { if case .text = self { true } else { false } }
    private var isNumber: Bool { if case .number = self { true } else { false } }

    private static func isFieldName(_ key: [UInt8]) -> Bool {
        String(decoding: key, as: UTF8.self).wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil
    }
}
