/// The rule for names of record types and fields: a letter, then letters, digits and `_`, at most 255
/// (protocol §6).
enum SchemaName {
    static let longest = 255

    static func isLegal(_ name: String) -> Bool {
        let bytes = name.utf8
        guard let first = bytes.first, isLetter(first), bytes.count <= longest else { return false }
        return bytes.allSatisfy(isLegal)
    }

    static func isLegal(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
