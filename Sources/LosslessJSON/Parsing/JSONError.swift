/// Why a text is no JSON document, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of mistakes.
    public enum Code: Hashable, Sendable {
        case tooLarge, tooDeep
        case invalidUTF8, controlCharacter, invalidEscape, loneSurrogate, unterminatedString
        case invalidNumber, duplicateKey
        case unexpectedEnd, unexpectedCharacter, trailingComma, trailingContent
    }

    /// What is wrong, to branch on.
    public let code: Code
    /// Counted from 1; a line ends with LF, CR LF or CR.
    public let line: Int
    /// Counted from 1, in Unicode scalars, as editors show it.
    public let column: Int
    /// In bytes, from 0.
    public let offset: Int
    /// What is wrong, for a person, without the place.
    public let message: String

    /// The place and what is wrong.
    public var description: String { "line \(line), column \(column): \(message)" }

    private init(_ code: Code, at offset: Int, in bytes: [UInt8], _ message: String) {
        (line, column) = Self.place(of: offset, in: bytes)
        self.code = code
        self.offset = offset
        self.message = message
    }

    /// The line and the column of a byte, both counted from 1.
    static func place(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        var previous: UInt8 = 0
        for byte in bytes[..<min(offset, bytes.count)] {
            if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") && previous != UInt8(ascii: "\r") {
                line += 1
                column = 1
            } else if byte != UInt8(ascii: "\n"), byte & 0xC0 != 0x80 {
                column += 1
            }
            previous = byte
        }
        return (line, column)
    }
}

// MARK: - The errors

extension JSONError {
    static func tooLarge(in bytes: [UInt8]) -> Self {
        Self(.tooLarge, at: 0, in: [], "The text is \(bytes.count) bytes long; 512 MiB is the most.")
    }

    static func tooDeep(at offset: Int, in bytes: [UInt8]) -> Self {
        Self(.tooDeep, at: offset, in: bytes, "Nested deeper than \(JSONDocument.maximumDepth) objects and arrays.")
    }

    static func invalidUTF8(at offset: Int, in bytes: [UInt8]) -> Self {
        Self(.invalidUTF8, at: offset, in: bytes, "These bytes are no UTF-8. Save the text as UTF-8.")
    }

    static func controlCharacter(at offset: Int, in bytes: [UInt8]) -> Self {
        let name =
            switch bytes[offset] {
            case 0x0A, 0x0D: "A line break"
            case 0x09: "A tab"
            default: "A control character"
            }
        return Self(.controlCharacter, at: offset, in: bytes, "\(name) inside a string must be written as an escape.")
    }

    static func invalidEscape(at offset: Int, in bytes: [UInt8]) -> Self {
        Self(
            .invalidEscape, at: offset, in: bytes,
            #"No such escape. JSON has \" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits."#)
    }

    static func loneSurrogate(at offset: Int, in bytes: [UInt8]) -> Self {
        Self(.loneSurrogate, at: offset, in: bytes, "This escape is half of a surrogate pair, which is no character.")
    }

    static func unterminatedString(at offset: Int, in bytes: [UInt8]) -> Self {
        Self(.unterminatedString, at: offset, in: bytes, "A string has no closing quotation mark.")
    }

    static func leadingZero(at offset: Int, in bytes: [UInt8]) -> Self {
        Self(.invalidNumber, at: offset, in: bytes, "A number must not begin with a needless zero.")
    }

    static func invalidNumber(at offset: Int, in bytes: [UInt8]) -> Self {
        Self(.invalidNumber, at: offset, in: bytes, "A digit is missing in a number.")
    }

    static func duplicateKey(_ key: [UInt8], at offset: Int, first: Int, in bytes: [UInt8]) -> Self {
        let name = String(decoding: key, as: UTF8.self)
        let short = name.count > 80 ? name.prefix(80) + "…" : name
        let shown = String(decoding: JSONSpelling.string(short), as: UTF8.self)
        let (earlier, line) = (place(of: first, in: bytes).line, place(of: offset, in: bytes).line)
        let lines = earlier == line ? "both times on line \(line)" : "on line \(earlier) and on line \(line)"
        return Self(
            .duplicateKey, at: offset, in: bytes,
            "The key \(shown) is there twice, \(lines). Rename or remove one of the two.")
    }

    static func trailingComma(at offset: Int, in bytes: [UInt8]) -> Self {
        Self(.trailingComma, at: offset, in: bytes, "There must be no comma after the last item.")
    }

    static func trailingContent(at offset: Int, in bytes: [UInt8]) -> Self {
        Self(.trailingContent, at: offset, in: bytes, "The document has ended here, but more text follows.")
    }

    static func missingSeparator(at offset: Int, in bytes: [UInt8], isObject: Bool) -> Self {
        expected(isObject ? "a comma or '}'" : "a comma or ']'", at: offset, in: bytes)
    }

    static func missingKey(at offset: Int, in bytes: [UInt8]) -> Self {
        expected("a key in double quotation marks", at: offset, in: bytes)
    }

    static func missingColon(at offset: Int, in bytes: [UInt8]) -> Self {
        expected("a colon after the key", at: offset, in: bytes)
    }

    static func missingValue(at offset: Int, in bytes: [UInt8]) -> Self {
        expected("a value", at: offset, in: bytes)
    }

    private static func expected(_ what: String, at offset: Int, in bytes: [UInt8]) -> Self {
        guard offset < bytes.count else {
            return Self(.unexpectedEnd, at: offset, in: bytes, "The text ends where \(what) was expected.")
        }
        let isComment = bytes[offset] == UInt8(ascii: "/")
        return Self(
            .unexpectedCharacter, at: offset, in: bytes,
            "Expected \(what) here." + (isComment ? " JSON has no comments." : ""))
    }
}
