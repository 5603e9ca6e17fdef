/// Two members with one key have no one meaning: readers disagree on which counts, so neither is dropped, the
/// document is refused. Keys are compared as what they stand for (`"\u0061"` is `"a"`), byte by byte.
extension JSONParser {
    func checkKeys(of object: Int) throws(JSONError) {
        let count = tape[object].count
        guard count > 1 else { return }
        var table = KeyTable(capacity: count)
        var key = object + 1
        for _ in 0..<count {
            if let first = table.insert(key, of: self) {
                throw .duplicateKey(
                    Unescaping.utf8(of: content(of: key)), at: Int(tape[key].start), first: Int(tape[first].start),
                    in: bytes)
            }
            key = Int(tape[key + 1].next)
        }
    }

    /// The text between the quotation marks.
    private func content(of key: Int) -> ArraySlice<UInt8> {
        bytes[Int(tape[key].start) + 1..<Int(tape[key].end) - 1]
    }

    /// A set of keys by tape index: a plain list while it is short, then a hash table with open addressing. The
    /// hash is Swift's seeded one, so no document can make its keys collide by design.
    private struct KeyTable {
        private var slots: [Int32]
        private var used = 0
        private let isList: Bool

        init(capacity: Int) {
            isList = capacity <= 8
            var size = 8
            if !isList { while size < capacity * 2 { size *= 2 } }
            slots = Array(repeating: -1, count: size)
        }

        /// Takes up a key, or gives the equal one that is there already.
        mutating func insert(_ key: Int, of parser: JSONParser) -> Int? {
            if isList {
                for slot in 0..<used where parser.areEqual(Int(slots[slot]), key) { return Int(slots[slot]) }
                slots[used] = Int32(key)
                used += 1
                return nil
            }
            var slot = parser.hash(of: key) & (slots.count - 1)
            while slots[slot] >= 0 {
                if parser.areEqual(Int(slots[slot]), key) { return Int(slots[slot]) }
                slot = (slot + 1) & (slots.count - 1)
            }
            slots[slot] = Int32(key)
            return nil
        }
    }

    private func areEqual(_ left: Int, _ right: Int) -> Bool {
        let (a, b) = (tape[left], tape[right])
        if !a.isMarked, !b.isMarked {
            return a.end - a.start == b.end - b.start && content(of: left).elementsEqual(content(of: right))
        }
        return Unescaping.utf8(of: content(of: left)) == Unescaping.utf8(of: content(of: right))
    }

    private func hash(of key: Int) -> Int {
        var hasher = Hasher()
        let content = tape[key].isMarked ? Unescaping.utf8(of: content(of: key))[...] : content(of: key)
        content.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
