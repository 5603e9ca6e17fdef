package import LosslessJSON

/// The skeleton of a structured file's top level: everything but the values.
///
/// The file is `before` of the first slot, the first slot's value, `before` of the second slot, and so on, then
/// `tail`. So a `before` holds the brace or comma, the key as it is spelled, the colon, and the white space
/// around them; the first one may begin with a byte order mark. A file without members is all `tail`.
package struct FileLayout: Hashable, Sendable {
    struct Slot: Hashable, Sendable {
        var before: [UInt8]
        /// The field whose value comes next.
        var field: String
    }

    var slots: [Slot]
    var tail: [UInt8]

    init(slots: [Slot], tail: [UInt8]) {
        self.slots = slots
        self.tail = tail
    }

    /// The layout of a document whose members' fields are `fields`, in order.
    init(of document: JSONDocument, fields: [String]) {
        self.init(of: document.root, in: document.bytes[...], fields: fields)
    }

    /// The layout of an object in the part of its document that is `text`.
    package init(of object: JSONNode, in text: ArraySlice<UInt8>, fields: [String]) {
        slots = []
        var start = text.startIndex
        for (member, field) in zip(object.members, fields) {
            slots.append(Slot(before: Array(text[start..<member.value.range.lowerBound]), field: field))
            start = member.value.range.upperBound
        }
        tail = Array(text[start...])
    }

    /// Sets texts into the slots; slots without a text are left out, texts without a slot are appended in the
    /// order given, in the style of the last slot.
    package func bytes(texts: [(field: String, key: String, text: [UInt8])]) -> [UInt8] {
        guard !slots.isEmpty else { return tail }
        var left = Dictionary(texts.map { ($0.field, $0.text) }) { first, _ in first }
        var bytes: [UInt8] = []
        var last: Pieces?
        var opening = Pieces(slots[0].before)
        for slot in slots {
            guard let text = left.removeValue(forKey: slot.field) else { continue }
            var pieces = Pieces(slot.before)
            if last == nil {
                // The first member that is left takes the first slot's place after the brace.
                opening.key = pieces.key
                opening.colon = pieces.colon
                pieces = opening
            }
            bytes += pieces.lead + pieces.key + pieces.colon + text
            last = pieces
        }
        for (field, key, text) in texts where left[field] != nil {
            let style = last ?? opening
            let lead = last == nil ? opening.lead : slots.count > 1 ? Pieces(slots[slots.count - 1].before).lead : comma
            bytes += lead + JSONSpelling.string(key) + style.colon + text
            last = Pieces(lead: lead, key: [], colon: style.colon)
        }
        if last == nil { bytes += opening.lead.prefix { $0 != UInt8(ascii: "{") } + [UInt8(ascii: "{")] }
        return bytes + tail
    }

    /// Between members, where the layout has only one: what follows the brace, after a comma.
    private var comma: [UInt8] {
        let pieces = Pieces(slots[0].before)
        let space = pieces.lead.drop { $0 != UInt8(ascii: "{") }.dropFirst()
        return [UInt8(ascii: ",")] + (space.isEmpty ? pieces.colon.dropFirst() : space)
    }

    /// Whether the file begins with a byte order mark.
    var isMarked: Bool { (slots.first?.before ?? tail).starts(with: JSONDocument.byteOrderMark) }

    /// What stands before the first piece's mark besides white space: a byte order mark, at the very beginning of the file.
    private static func withoutMark(_ start: [UInt8]) -> ArraySlice<UInt8> {
        start.starts(with: JSONDocument.byteOrderMark) ? start.dropFirst(JSONDocument.byteOrderMark.count) : start[...]
    }

    /// Whether the pieces are what they are said to be, so that hints from anywhere cannot make broken JSON: a brace
    /// or a comma, a key, a colon, with only white space around them, and at the end the brace.
    var isSound: Bool {
        guard !slots.isEmpty else {
            return Self.withoutMark(tail).filter { !Self.isSpace($0) } == Array("{}".utf8)
        }
        guard Set(slots.map(\.field)).count == slots.count else { return false }
        for (index, slot) in slots.enumerated() {
            let mark = index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ",")
            let pieces = Pieces(slot.before)
            let lead = index == 0 ? Self.withoutMark(pieces.lead) : pieces.lead[...]
            guard lead.filter({ !Self.isSpace($0) }) == [mark],
                pieces.colon.filter({ !Self.isSpace($0) }) == [UInt8(ascii: ":")],
                (try? JSONDocument(parsing: pieces.key))?.root.string != nil
            else { return false }
        }
        return tail.filter { !Self.isSpace($0) } == [UInt8(ascii: "}")]
    }

    /// The keys as the slots spell them, unescaped.
    var keys: [String]? {
        var keys: [String] = []
        for slot in slots {
            guard let key = (try? JSONDocument(parsing: Pieces(slot.before).key))?.root.string else { return nil }
            keys.append(key)
        }
        return keys
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// A `before` cut around its key.
    private struct Pieces {
        var lead: [UInt8]
        var key: [UInt8]
        var colon: [UInt8]

        init(lead: [UInt8], key: [UInt8], colon: [UInt8]) {
            self.lead = lead
            self.key = key
            self.colon = colon
        }

        init(_ before: [UInt8]) {
            let quote = UInt8(ascii: "\"")
            guard let start = before.firstIndex(of: quote), let end = before.lastIndex(of: quote), start < end else {
                self.init(lead: before, key: [], colon: [])
                return
            }
            self.init(
                lead: Array(before[..<start]), key: Array(before[start...end]), colon: Array(before[(end + 1)...]))
        }
    }
}
