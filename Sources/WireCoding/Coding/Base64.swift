/// The standard alphabet with padding (RFC 4648, §4).
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Six bits for each byte of the alphabet, 0xFF for all others.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
        return values
    }()

    /// The text of some bytes: ASCII, four bytes for every three.
    public static func encode(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = alphabet
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var at = 0
        while at < bytes.count {
            let left = bytes.count - at
            let second = left > 1 ? bytes[at + 1] : 0
            let third = left > 2 ? bytes[at + 2] : 0
            text.append(alphabet[Int(bytes[at] >> 2)])
            text.append(alphabet[Int((bytes[at] & 3) << 4 | second >> 4)])
            text.append(left > 1 ? alphabet[Int((second & 15) << 2 | third >> 6)] : UInt8(ascii: "="))
            text.append(left > 2 ? alphabet[Int(third & 63)] : UInt8(ascii: "="))
            at += 3
        }
        return text
    }

    /// The bytes of a text, or `nil` where it is not the standard alphabet, padded to a multiple of four.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        let values = values
        let text = Array(text)
        guard text.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var at = 0
        while at < text.count {
            let isLast = at + 4 == text.count
            let padding = isLast && text[at + 3] == UInt8(ascii: "=") ? (text[at + 2] == UInt8(ascii: "=") ? 2 : 1) : 0
            let (a, b) = (values[Int(text[at])], values[Int(text[at + 1])])
            let c = padding > 1 ? 0 : values[Int(text[at + 2])]
            let d = padding > 0 ? 0 : values[Int(text[at + 3])]
            guard (a | b | c | d) < 64 else { return nil }
            bytes.append(a << 2 | b >> 4)
            if padding < 2 { bytes.append(b << 4 | c >> 2) }
            if padding < 1 { bytes.append(c << 6 | d) }
            at += 4
        }
        return bytes
    }
}
