/// Two members with one key have no one meaning: readers disagree on which counts, so neither is dropped, the
/// document is refused. Keys are compared as what they stand for (`"\u0061"` is `"a"`), byte by byte.
extension JSONParser {
    func checkKeys(of object: Int) throws(JSONError) {
        let count = tape[object].count
        if count < 2 { return }
        let pair = count <= 8 ? pairInSmall(object) : pairInLarge(object, count: count)
        guard let (first, second) = pair else { return }
        throw .duplicateKey(
            Unescaping.utf8(of: content(of: second)), at: Int(tape[second].start), first: Int(tape[first].start),
            in: bytes)
    }

    /// Two members with equal keys. Each key is compared with those before it; most objects are small, and this
    /// allocates nothing.
    private func pairInSmall(_ object: Int) -> (Int, Int)? {
        let end = Int(tape[object].next)
        var key = Int(tape[object + 2].next)
        while key < end {
            var earlier = object + 1
            while earlier < key {
                if areEqual(earlier, key) { return (earlier, key) }
                earlier = Int(tape[earlier + 1].next)
            }
            key = Int(tape[key + 1].next)
        }
        return nil
    }

    /// Two members with equal keys, by a hash table with open addressing. The hash is Swift's seeded one, so no
    /// document can make its keys collide by design.
    private func pairInLarge(_ object: Int, count: Int) -> (Int, Int)? {
        var size = 32
        while size < count * 2 { size *= 2 }
        var slots = [Int32](repeating: -1, count: size)
        let end = Int(tape[object].next)
        var key = object + 1
        while key < end {
            var slot = hash(of: key) & (size - 1)
            while slots[slot] >= 0 {
                if areEqual(Int(slots[slot]), key) { return (Int(slots[slot]), key) }
                slot = (slot + 1) & (size - 1)
            }
            slots[slot] = Int32(key)
            key = Int(tape[key + 1].next)
        }
        return nil
    }

    /// The text between the quotation marks.
    private func content(of key: Int) -> ArraySlice<UInt8> {
        bytes[Int(tape[key].start) + 1..<Int(tape[key].end) - 1]
    }

    private func areEqual(_ left: Int, _ right: Int) -> Bool {
        let (a, b) = (tape[left], tape[right])
        if a.isMarked || b.isMarked {
            return Unescaping.utf8(of: content(of: left)) == Unescaping.utf8(of: content(of: right))
        }
        guard a.end - a.start == b.end - b.start else { return false }
        var (at, other) = (Int(a.start) + 1, Int(b.start) + 1)
        while at < Int(a.end) - 1 {
            guard bytes[at] == bytes[other] else { return false }
            at += 1
            other += 1
        }
        return true
    }

    private func hash(of key: Int) -> Int {
        var hasher = Hasher()
        let content = tape[key].isMarked ? Unescaping.utf8(of: content(of: key))[...] : content(of: key)
        content.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
