import CloudKitWire
import LosslessJSON

/// Number literals compared by their exact decimal value.
package enum NumberText {
    /// Whether a value's plain text is another JSON value than `text`: another kind, or a number with other digits.
    static func loses(_ text: [UInt8], as value: FieldValue) -> Bool {
        guard let node = (try? JSONDocument(parsing: text))?.root else { return false }
        return loses(node, value)
    }

    private static func loses(_ node: JSONNode, _ value: FieldValue) -> Bool {
        if let elements = value.elements, node.kind == .array {
            return zip(node.elements, elements).contains { loses($0, $1) }
        }
        switch value {
        case .int64(let number):
            return node.int64 != number && normal(node.text) != normal(JSONSpelling.int64(number)[...])
        case .double(let number): return normal(node.text) != normal(JSONSpelling.double(number)[...])
        default: return false
        }
    }

    /// Digits without leading and trailing zeros, and the power of ten of the last one; `nil` for no number.
    package static func normal(_ literal: ArraySlice<UInt8>) -> Normal? {
        var rest = literal
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        var digits: [UInt8] = []
        var exponent = 0
        var isFraction = false
        while let byte = rest.first, byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if byte == UInt8(ascii: ".") {
                isFraction = true
            } else {
                guard (0x30...0x39).contains(byte) else { return nil }
                digits.append(byte)
                if isFraction { exponent -= 1 }
            }
        }
        if rest.first != nil {
            // Beyond Int, a power of ten is a zero or no double at all; what it is exactly makes no difference.
            let power = String(decoding: rest.dropFirst(), as: UTF8.self)
            let beyond = power.hasPrefix("-") ? Int.min : .max
            let stated = Int(power.hasPrefix("+") ? String(power.dropFirst()) : power) ?? beyond
            exponent += max(min(stated, 1 << 40), -1 << 40)
        }
        while digits.last == 0x30 {
            digits.removeLast()
            exponent += 1
        }
        let significant = Array(digits.drop { $0 == 0x30 })
        return Normal(isNegative: isNegative, digits: significant, exponent: significant.isEmpty ? 0 : exponent)
    }

    package struct Normal: Equatable {
        package let isNegative: Bool
        package let digits: [UInt8]
        package let exponent: Int

        private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

        /// Whether the exponent is what the literal says, and not as much of it as is kept.
        private var isExact: Bool { exponent.magnitude < 1 << 39 }

        /// Whether this is the smaller number, by the exact values; `nil` where a power of ten is so large or small that it is not
        /// kept. The zeros are equal.
        package func isLess(than other: Self) -> Bool? {
            guard isExact, other.isExact else { return nil }
            guard sign == other.sign else { return sign < other.sign }
            let (near, far) = sign < 0 ? (other, self) : (self, other)
            // By where the first digit stands, and then digit by digit: no trailing zeros are left.
            let (place, farPlace) = (near.digits.count + near.exponent, far.digits.count + far.exponent)
            guard place == farPlace else { return place < farPlace }
            return near.digits.lexicographicallyPrecedes(far.digits)
        }
    }
}
