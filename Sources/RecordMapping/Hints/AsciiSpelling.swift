import LosslessJSON

/// Strings as writers spell them that stay within ASCII: `\uxxxx` in lower case for everything beyond it.
enum AsciiSpelling {
    static func text(_ string: String) -> [UInt8] {
        var text: [UInt8] = []
        for scalar in String(decoding: JSONSpelling.string(string), as: UTF8.self).unicodeScalars {
            if scalar.value < 0x80 {
                text.append(UInt8(scalar.value))
            } else {
                for unit in UTF16.encode(scalar)! {
                    let digits = String(unit, radix: 16)
                    text += Array("\\u".utf8) + [UInt8](repeating: UInt8(ascii: "0"), count: 4 - digits.utf8.count)
                    text += Array(digits.utf8)
                }
            }
        }
        return text
    }
}
