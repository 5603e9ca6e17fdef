/// A path for people, and for what they read and say: any bytes, as a text that can be taken back.
extension FolderPath: CustomStringConvertible {
    /// The path as it is, where it is UTF-8 and has no control characters. Of any other one those, what is not ASCII, and
    /// backslashes are shown as `\xNN`; so is a path that looks as if it were shown in this way.
    public var description: String {
        let isPlain = { (text: String) in !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }
        if let text, isPlain(text), !Self.hasEscapes(bytes) { return text }
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
