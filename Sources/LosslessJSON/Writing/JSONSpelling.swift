/// The plain spelling of scalars: what this program writes where nobody has spelt the value before.
public enum JSONSpelling {
    /// A string with its quotation marks. Escaped is what must be: `"`, `\`, and control characters below U+0020,
    /// with the short escapes where JSON has one, else `\u00xx` in lower case. All else is UTF-8 as it is.
    public static func string(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return bytes
    }

    /// An integer in decimal.
    public static func int64(_ number: Int64) -> [UInt8] {
        Array(String(number).utf8)
    }

    /// The shortest literal that reads back as the same double, always with a fraction or an exponent (`1.0`, `1e+16`,
    /// `-0.0`), so that it cannot be taken for an integer.
    /// - Precondition: The number is finite: JSON has no other.
    public static func double(_ number: Double) -> [UInt8] {
        precondition(number.isFinite, "JSON has no NaN and no infinity")
        return Array(number.description.utf8)
    }

    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            var clean = 0  // what is before here is written
            for at in utf8.indices {
                let byte = utf8[at]
                guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
                bytes.append(contentsOf: utf8[clean..<at])
                bytes.append(UInt8(ascii: "\\"))
                switch byte {
                case 0x08: bytes.append(UInt8(ascii: "b"))
                case 0x09: bytes.append(UInt8(ascii: "t"))
                case 0x0A: bytes.append(UInt8(ascii: "n"))
                case 0x0C: bytes.append(UInt8(ascii: "f"))
                case 0x0D: bytes.append(UInt8(ascii: "r"))
                case 0..<0x20:
                    let digits: StaticString = "0123456789abcdef"
                    bytes.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
                    bytes.append(digits.utf8Start[Int(byte >> 4)])
                    bytes.append(digits.utf8Start[Int(byte & 15)])
                default: bytes.append(byte)
                }
                clean = at + 1
            }
            bytes.append(contentsOf: utf8[clean...])
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
