/// The rules for names in schemas (protocol §6, §8.1).
public enum SchemaName {
    /// Bytes; *unverified* by any document.
    public static let longest = 255

    /// Words that are names only in quotes, in whatever case.
    static let reserved: Set<String> = ["GRANT", "PREFERRED", "QUERYABLE", "SORTABLE", "SEARCHABLE"]

    /// Whether something of the person's own may be called so: a letter, then letters, digits and `_`, at most 255.
    public static func isLegal(_ name: String) -> Bool {
        isIdentifier(name) && name.utf8.count <= longest
    }

    /// Whether it can be written without quotes.
    static func isPlain(_ name: String) -> Bool {
        isIdentifier(name) && !isReserved(name)
    }

    static func isReserved(_ name: String) -> Bool {
        reserved.contains(name.uppercased())
    }

    /// As schema files spell it.
    static func written(_ name: String) -> String {
        isPlain(name) ? name : "\"\(name)\""
    }

    private static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first) else { return false }
        return name.utf8.allSatisfy(isPart)
    }

    /// Whether a name may begin with it.
    package static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// Whether a name may hold it.
    package static func isPart(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
    }
}
