/// One value of a document: a light view that keeps the document alive.
public struct JSONNode: Sendable {
    /// What JSON calls a value's type.
    public enum Kind: Hashable, Sendable {
        case object, array, string, number, bool, null
    }

    let storage: JSONStorage
    /// On the tape.
    let index: Int

    private var entry: TapeEntry { storage.tape[index] }

    /// What JSON calls its type.
    public var kind: Kind {
        switch entry.form {
        case .object: .object
        case .array: .array
        case .string: .string
        case .number: .number
        case .true, .false: .bool
        case .null: .null
        }
    }

    /// Where its text is in the document's bytes.
    public var range: Range<Int> { entry.range }

    /// Its text exactly as written, as a slice of the document's bytes.
    public var text: ArraySlice<UInt8> { storage.bytes[entry.range] }

    /// The characters that a string stands for, or `nil` for another kind.
    ///
    /// Swift's `==` takes two strings for one that differ only in Unicode normal form; compare `utf8` where that
    /// matters.
    public var string: String? {
        guard entry.form == .string else { return nil }
        return storage.string(of: index)
    }

    /// The truth value, or `nil` for another kind.
    public var bool: Bool? {
        switch entry.form {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// Whether this is `null`.
    public var isNull: Bool { entry.form == .null }

    /// The value of an integer literal within range, or `nil`.
    ///
    /// A literal with a fraction or an exponent is none, whatever its value, and neither is `-0`, whose sign an
    /// integer would lose.
    public var int64: Int64? {
        guard entry.form == .number, !entry.isMarked else { return nil }
        let text = text
        let isNegative = text[text.startIndex] == UInt8(ascii: "-")
        var value: Int64 = 0
        for byte in isNegative ? text.dropFirst() : text {
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (sum, carry) =
                isNegative ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
            if overflow || carry { return nil }
            value = sum
        }
        return isNegative && value == 0 ? nil : value
    }

    /// The nearest `Double` to a number literal, or `nil` for another kind and for a literal beyond the range of
    /// finite doubles, such as `1e400`.
    ///
    /// Nearest: `0.1` and `9007199254740993` are rounded, and `1e-400` is 0. What must not be rounded is in
    /// ``int64`` or in ``text``.
    public var double: Double? {
        guard entry.form == .number else { return nil }
        if !entry.isMarked, let exact = int64, exact.magnitude <= 1 << 53 { return Double(exact) }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// How many members or elements a container has; 0 for another kind.
    public var count: Int { entry.count }

    /// The members of an object in the order of the text; empty for another kind.
    public var members: JSONMembers {
        JSONMembers(storage: storage, first: index + 1, count: entry.form == .object ? entry.count : 0)
    }

    /// The elements of an array in order; empty for another kind.
    public var elements: JSONElements {
        JSONElements(storage: storage, first: index + 1, count: entry.form == .array ? entry.count : 0)
    }

    /// The value of an object's member, or `nil` where there is none or this is no object. Keys are compared byte
    /// by byte, after unescaping. Takes time in proportion to the number of members.
    public subscript(key: String) -> JSONNode? {
        guard entry.form == .object else { return nil }
        var at = index + 1
        for _ in 0..<entry.count {
            if storage.isString(at, equalTo: key) { return JSONNode(storage: storage, index: at + 1) }
            at = Int(storage.tape[at + 1].next)
        }
        return nil
    }
}

extension JSONStorage {
    /// The text of a string between its quotation marks.
    func content(of index: Int) -> ArraySlice<UInt8> {
        let entry = tape[index]
        return bytes[Int(entry.start) + 1..<Int(entry.end) - 1]
    }

    func string(of index: Int) -> String {
        let content = content(of: index)
        // The parser has checked the bytes, so nothing is repaired here.
        return tape[index].isMarked
            ? String(decoding: Unescaping.utf8(of: content), as: UTF8.self) : String(decoding: content, as: UTF8.self)
    }

    func isString(_ index: Int, equalTo other: String) -> Bool {
        let entry = tape[index]
        if entry.isMarked { return other.utf8.elementsEqual(Unescaping.utf8(of: content(of: index))) }
        guard other.utf8.count == entry.range.count - 2 else { return false }
        var at = Int(entry.start) + 1
        for byte in other.utf8 {
            guard bytes[at] == byte else { return false }
            at += 1
        }
        return true
    }
}
