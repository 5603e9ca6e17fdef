/// Strings are checked in full while they are passed over (UTF-8, escapes, control characters), so that a node's
/// text can be decoded later without a way to fail.
extension JSONParser {
    /// Reads a string whose opening quotation mark is at the position.
    mutating func string() throws(JSONError) {
        let start = position
        var at = start + 1
        var hasEscapes = false
        while at < bytes.count {
            let byte = bytes[at]
            if byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                at += 1
            } else if byte == UInt8(ascii: "\"") {
                position = at + 1
                tape.append(TapeEntry(.string, start: start, end: position, next: tape.count + 1, isMarked: hasEscapes))
                return
            } else if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                at = try escape(at)
            } else if byte < 0x20 {
                throw .controlCharacter(at: at, in: bytes)
            } else {
                let length = scalarLength(at)
                guard length > 0 else { throw .invalidUTF8(at: at, in: bytes) }
                at += length
            }
        }
        throw .unterminatedString(at: start, in: bytes)
    }

    /// Where the escape that begins at `at` ends.
    private func escape(_ at: Int) throws(JSONError) -> Int {
        guard at + 1 < bytes.count else { throw .unterminatedString(at: at, in: bytes) }
        switch bytes[at + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return at + 2
        case UInt8(ascii: "u"):
            guard let unit = Unescaping.codeUnit(bytes[...], at: at + 2) else {
                throw .invalidEscape(at: at, in: bytes)
            }
            guard UTF16.isSurrogate(unit) else { return at + 6 }
            // A half pair is no character: no text of Swift, SQLite or CloudKit could hold it, so it can only be
            // refused or be changed, and it is never changed.
            guard UTF16.isLeadSurrogate(unit), at + 7 < bytes.count, bytes[at + 6] == UInt8(ascii: "\\"),
                bytes[at + 7] == UInt8(ascii: "u"), let second = Unescaping.codeUnit(bytes[...], at: at + 8),
                UTF16.isTrailSurrogate(second)
            else { throw .loneSurrogate(at: at, in: bytes) }
            return at + 12
        default:
            throw .invalidEscape(at: at, in: bytes)
        }
    }

    /// The length of the non-ASCII scalar that begins at `at`, or 0 where the bytes are no UTF-8 (RFC 3629, §4).
    private func scalarLength(_ at: Int) -> Int {
        let lead = bytes[at]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard at + length <= bytes.count, second.contains(bytes[at + 1]) else { return 0 }
        if length > 2, bytes[at + 2] & 0xC0 != 0x80 { return 0 }
        if length > 3, bytes[at + 3] & 0xC0 != 0x80 { return 0 }
        return length
    }
}

/// What the escapes of a checked string stand for.
enum Unescaping {
    /// The UTF-8 of a string literal whose text, without its quotation marks, was checked by the parser.
    static func utf8(of text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var at = text.startIndex
        while at < text.endIndex {
            let byte = text[at]
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                at += 1
                continue
            }
            switch text[at + 1] {
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "u"):
                var scalar = UInt32(codeUnit(text, at: at + 2)!)
                if UTF16.isLeadSurrogate(UInt16(scalar)) {
                    scalar = 0x10000 + (scalar - 0xD800) << 10 + UInt32(codeUnit(text, at: at + 8)!) - 0xDC00
                    at += 6
                }
                result.append(contentsOf: UTF8.encode(Unicode.Scalar(scalar)!)!)
                at += 4
            case let itself: result.append(itself)
            }
            at += 2
        }
        return result
    }

    /// The number that four hexadecimal digits make, or `nil` where there are no four.
    static func codeUnit(_ bytes: ArraySlice<UInt8>, at start: Int) -> UInt16? {
        guard start + 4 <= bytes.endIndex else { return nil }
        var unit: UInt16 = 0
        for at in start..<start + 4 {
            let digit: UInt8
            switch bytes[at] {
            case let byte where byte &- UInt8(ascii: "0") < 10: digit = byte - UInt8(ascii: "0")
            case let byte where byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "f"):
                digit = (byte | 0x20) - UInt8(ascii: "a") + 10
            default: return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
