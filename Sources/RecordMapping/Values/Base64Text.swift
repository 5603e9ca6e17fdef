/// Bytes as base64 in the standard alphabet, with padding (RFC 4648 §4).
enum Base64Text {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()
    private static let padding = UInt8(ascii: "=")

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << (16 - 8 * UInt32($1.offset)) }
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[Int(bits >> (18 - 6 * UInt32(place)) & 63)] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes, or `nil` for anything but the one canonical spelling.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 4 == 0 else { return nil }
        let unpadded = digits.last == padding ? (digits.dropLast().last == padding ? 2 : 1) : 0
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        var bits: UInt32 = 0
        for (place, digit) in digits.dropLast(unpadded).enumerated() {
            let value = values[Int(digit)]
            guard value != 0xFF else { return nil }
            bits = bits << 6 | UInt32(value)
            if place % 4 == 3 {
                bytes += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
                bits = 0
            }
        }
        switch unpadded {
        case 1:
            guard bits & 3 == 0 else { return nil }
            bytes += [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)]
        case 2:
            guard bits & 15 == 0 else { return nil }
            bytes.append(UInt8(bits >> 4 & 0xFF))
        default: break
        }
        return bytes
    }
}
