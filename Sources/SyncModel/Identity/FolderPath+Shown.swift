/// A path for people, and for what they read and say: any bytes, as a text that can be taken back.
extension FolderPath: CustomStringConvertible {
    /// The path as it is, where it is UTF-8 and has no characters that break a line, control a terminal or turn the direction of
    /// writing. Of any other one those, what is not ASCII, and backslashes are shown as `\xNN`; so is a path that looks as if it
    /// were shown in this way.
    public var description: String {
        if let text, text.unicodeScalars.allSatisfy(Self.isPlain), !Self.hasEscapes(bytes) { return text }
        var shown = ""
        for byte in bytes {
            if (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "\\") {
                shown.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                shown += "\\x" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return shown
    }

    private static func isPlain(_ character: Unicode.Scalar) -> Bool {
        guard !character.isASCII else { return (0x20..<0x7F).contains(character.value) }
        switch character.value {
        // Those that embed, override or isolate a direction, as `exe.jpg` may be made to look.
        case 0x202A...0x202E, 0x2066...0x2069: return false
        default:
            return ![.control, .lineSeparator, .paragraphSeparator].contains(character.properties.generalCategory)
        }
    }

    /// Takes a path as ``description`` shows it, or gives `nil` where that is not safe beneath the root.
    public init?(shown text: String) {
        let shown = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < shown.count {
            if let byte = Self.escaped(shown, at: index) {
                bytes.append(byte)
                index += 4
            } else {
                bytes.append(shown[index])
                index += 1
            }
        }
        self.init(bytes: bytes)
    }

    /// Whether a path looks as if it were shown with `\xNN` in it.
    public static func hasEscapes(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { escaped(bytes, at: $0) != nil }
    }

    /// The byte that `\xNN` stands for.
    private static func escaped(_ bytes: [UInt8], at index: Int) -> UInt8? {
        guard bytes[index] == UInt8(ascii: "\\"), index + 3 < bytes.count, bytes[index + 1] == UInt8(ascii: "x") else {
            return nil
        }
        let digits = bytes[(index + 2)...(index + 3)]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
