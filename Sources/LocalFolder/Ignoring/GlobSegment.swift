/// One name of a gitignore pattern: what stands between two slashes.
///
/// Bytes are compared, never characters, and letters in their case, but where a built-in rule says otherwise. A name is
/// matched in at most pattern × name steps, however many stars a pattern has.
struct GlobSegment: Hashable, Sendable {
    enum Token: Hashable, Sendable {
        case byte(UInt8)
        case anyByte
        case anyRun
        case oneOf(ByteSet)
    }

    private var tokens: [Token] = []
    /// What every matching name begins and ends with, where that is known: most names fail here.
    private var first: UInt8?
    private var last: UInt8?
    /// Whether an ASCII letter is the same in either case; of what stands in brackets it is not.
    private let ignoresCase: Bool

    /// Takes the pattern's bytes, or gives `nil` for one that can match nothing: an open bracket, a lone backslash.
    init?(_ pattern: ArraySlice<UInt8>, ignoringCase ignoresCase: Bool = false) {
        self.ignoresCase = ignoresCase
        var rest = ignoresCase ? pattern.map(Self.lowercased)[...] : pattern
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"):
                if tokens.last != .anyRun { tokens.append(.anyRun) }
            case UInt8(ascii: "?"):
                tokens.append(.anyByte)
            case UInt8(ascii: "["):
                guard let set = ByteSet(parsing: &rest) else { return nil }
                tokens.append(.oneOf(set))
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                tokens.append(.byte(escaped))
            default:
                tokens.append(.byte(byte))
            }
        }
        if case .byte(let byte)? = tokens.first { first = byte }
        if case .byte(let byte)? = tokens.last { last = byte }
    }

    func matches(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let end = name.last else { return tokens.allSatisfy { $0 == .anyRun } }
        if let first, first != folded(name[0]) { return false }
        if let last, last != folded(end) { return false }
        var token = 0
        var position = 0
        var retry: (token: Int, position: Int)?
        while position < name.count {
            if token < tokens.count {
                switch tokens[token] {
                case .anyRun:
                    retry = (token + 1, position)
                    token += 1
                    continue
                case .byte(let byte) where byte == folded(name[position]):
                    token += 1
                    position += 1
                    continue
                case .oneOf(let set) where set.contains(name[position]):
                    token += 1
                    position += 1
                    continue
                case .anyByte:
                    token += 1
                    position += 1
                    continue
                default: break
                }
            }
            // Let the last star take one byte more: an earlier one never needs to, for it stopped at a match.
            guard let (again, from) = retry else { return false }
            retry = (again, from + 1)
            token = again
            position = from + 1
        }
        return tokens[token...].allSatisfy { $0 == .anyRun }
    }

    private func folded(_ byte: UInt8) -> UInt8 { ignoresCase ? Self.lowercased(byte) : byte }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

/// A set of bytes: what stands in brackets in a pattern.
struct ByteSet: Hashable, Sendable {
    private var words: SIMD4<UInt64> = .zero

    func contains(_ byte: UInt8) -> Bool {
        words[Int(byte >> 6)] & (1 << UInt64(byte & 63)) != 0
    }

    private mutating func insert(_ byte: UInt8) {
        words[Int(byte >> 6)] |= 1 << UInt64(byte & 63)
    }

    /// Reads up to the closing bracket, or gives `nil` where there is none.
    init?(parsing rest: inout ArraySlice<UInt8>) {
        let negated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
        if negated { rest.removeFirst() }
        var isFirst = true
        while let byte = rest.popFirst() {
            // A bracket that comes first is a member.
            if byte == UInt8(ascii: "]"), !isFirst {
                if negated { words = ~words }
                return
            }
            isFirst = false
            if byte == UInt8(ascii: "["), rest.first == UInt8(ascii: ":") {
                guard insertClass(&rest) else { return nil }
                continue
            }
            guard let low = Self.member(byte, &rest) else { return nil }
            guard rest.first == UInt8(ascii: "-"), let after = rest.dropFirst().first, after != UInt8(ascii: "]") else {
                insert(low)
                continue
            }
            rest.removeFirst(2)
            guard let high = Self.member(after, &rest) else { return nil }
            if low <= high { for byte in low...high { insert(byte) } }
        }
        return nil
    }

    private static func member(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) -> UInt8? {
        byte == UInt8(ascii: "\\") ? rest.popFirst() : byte
    }

    /// Reads `:name:]` and adds the bytes of that class.
    private mutating func insertClass(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let end = rest.dropFirst().firstIndex(of: UInt8(ascii: ":")),
            rest[(end + 1)...].first == UInt8(ascii: "]"),
            let isMember = Self.classes[String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)]
        else { return false }
        rest = rest[(end + 2)...]
        for byte in UInt8.min...UInt8.max where isMember(byte) { insert(byte) }
        return true
    }

    private static let classes: [String: @Sendable (UInt8) -> Bool] = [
        "alnum": { isLower($0) || isUpper($0) || isDigit($0) },
        "alpha": { isLower($0) || isUpper($0) },
        "blank": { $0 == 0x20 || $0 == 0x09 },
        "cntrl": { $0 < 0x20 || $0 == 0x7F },
        "digit": { isDigit($0) },
        "graph": { $0 > 0x20 && $0 < 0x7F },
        "lower": { isLower($0) },
        "print": { $0 >= 0x20 && $0 < 0x7F },
        "punct": { $0 > 0x20 && $0 < 0x7F && !isLower($0) && !isUpper($0) && !isDigit($0) },
        "space": { $0 == 0x20 || (0x09...0x0D).contains($0) },
        "upper": { isUpper($0) },
        "xdigit": { isDigit($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0) },
    ]

    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
