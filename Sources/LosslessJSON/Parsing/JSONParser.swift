/// Reads a text once, front to back, onto a tape. Iterative, so that no nesting can exhaust a thread's stack.
struct JSONParser {
    let bytes: [UInt8]
    var tape: [TapeEntry] = []
    var deepest = 0

    /// The next byte to look at.
    var position = 0
    /// Tape indexes of the containers that are not closed yet, outermost first.
    private var open: [Int] = []

    private enum Expected {
        case value, firstElement, key, firstKey, separator
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
        tape.reserveCapacity(bytes.count / 12 + 1)
    }

    mutating func parse() throws(JSONError) {
        guard bytes.count <= JSONDocument.maximumSize else { throw .tooLarge(in: bytes) }
        if bytes.starts(with: JSONDocument.byteOrderMark) { position = JSONDocument.byteOrderMark.count }
        var expected = Expected.value
        while true {
            skipWhiteSpace()
            let byte = peek()
            switch expected {
            case .firstKey where byte == UInt8(ascii: "}"), .firstElement where byte == UInt8(ascii: "]"):
                try close()
                expected = .separator
            case .firstKey, .key:
                try memberKey(byte, isFirst: expected == .firstKey)
                expected = .value
            case .firstElement, .value:
                expected = try value(byte)
            case .separator:
                guard let container = open.last else {
                    guard position == bytes.count else { throw .trailingContent(at: position, in: bytes) }
                    return
                }
                let isObject = tape[container].form == .object
                if byte == UInt8(ascii: ",") {
                    position += 1
                    expected = isObject ? .key : .value
                } else if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    try close()
                } else {
                    throw .missingSeparator(at: position, in: bytes, isObject: isObject)
                }
            }
        }
    }

    /// The byte at the position, or 0 at the end: NUL is no part of JSON, so it needs no other test.
    private func peek() -> UInt8 {
        position < bytes.count ? bytes[position] : 0
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func memberKey(_ byte: UInt8, isFirst: Bool) throws(JSONError) {
        guard byte == UInt8(ascii: "\"") else {
            throw isFirst || byte != UInt8(ascii: "}")
                ? .missingKey(at: position, in: bytes) : .trailingComma(at: position, in: bytes)
        }
        try string()
        skipWhiteSpace()
        guard peek() == UInt8(ascii: ":") else { throw .missingColon(at: position, in: bytes) }
        position += 1
        tape[open[open.count - 1]].count += 1
    }

    private mutating func value(_ byte: UInt8) throws(JSONError) -> Expected {
        if let container = open.last, tape[container].form == .array { tape[container].count += 1 }
        switch byte {
        case UInt8(ascii: "\""):
            try string()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try number()
        case UInt8(ascii: "{"):
            try push(.object)
            return .firstKey
        case UInt8(ascii: "["):
            try push(.array)
            return .firstElement
        case UInt8(ascii: "t"):
            try literal("true", .true)
        case UInt8(ascii: "f"):
            try literal("false", .false)
        case UInt8(ascii: "n"):
            try literal("null", .null)
        default:
            let inArray = open.last.map { tape[$0].form == .array } ?? false
            throw inArray && byte == UInt8(ascii: "]")
                ? .trailingComma(at: position, in: bytes) : .missingValue(at: position, in: bytes)
        }
        return .separator
    }

    private mutating func push(_ form: TapeEntry.Form) throws(JSONError) {
        guard open.count < JSONDocument.maximumDepth else { throw .tooDeep(at: position, in: bytes) }
        open.append(tape.count)
        deepest = max(deepest, open.count)
        tape.append(TapeEntry(form, start: position, end: position, next: 0))
        position += 1
    }

    private mutating func close() throws(JSONError) {
        position += 1
        let container = open.removeLast()
        tape[container].end = UInt32(truncatingIfNeeded: position)
        tape[container].next = UInt32(truncatingIfNeeded: tape.count)
        if tape[container].form == .object { try checkKeys(of: container) }
    }

    private mutating func literal(_ word: StaticString, _ form: TapeEntry.Form) throws(JSONError) {
        let start = position
        let length = word.utf8CodeUnitCount
        let isThere =
            word.withUTF8Buffer { word in
                position + length <= bytes.count && word.elementsEqual(bytes[position..<position + length])
            }
        guard isThere else { throw .missingValue(at: start, in: bytes) }
        position += length
        tape.append(TapeEntry(form, start: start, end: position, next: tape.count + 1))
    }

    /// number = [ "-" ] ( "0" / digit1-9 *digit ) [ "." 1*digit ] [ ("e" / "E") [ "-" / "+" ] 1*digit ]
    private mutating func number() throws(JSONError) {
        let start = position
        var isMarked = false
        if peek() == UInt8(ascii: "-") { position += 1 }
        if peek() == UInt8(ascii: "0") {
            position += 1
            guard !isDigit(peek()) else { throw .leadingZero(at: start, in: bytes) }
        } else {
            try digits(of: start)
        }
        if peek() == UInt8(ascii: ".") {
            isMarked = true
            position += 1
            try digits(of: start)
        }
        if peek() | 0x20 == UInt8(ascii: "e") {
            isMarked = true
            position += 1
            if peek() == UInt8(ascii: "-") || peek() == UInt8(ascii: "+") { position += 1 }
            try digits(of: start)
        }
        tape.append(TapeEntry(.number, start: start, end: position, next: tape.count + 1, isMarked: isMarked))
    }

    private mutating func digits(of start: Int) throws(JSONError) {
        guard isDigit(peek()) else { throw .invalidNumber(at: position, in: bytes) }
        repeat { position += 1 } while isDigit(peek())
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }
}
