/// Comparing bytes by machine words: paths and names are compared and hashed more often than anything else is done.
extension UnsafeRawBufferPointer {
    /// Whether both hold the same bytes.
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        var offset = 0
        while offset + 8 <= count {
            guard word(at: offset) == other.word(at: offset) else { return false }
            offset += 8
        }
        while offset < count {
            guard self[offset] == other[offset] else { return false }
            offset += 1
        }
        return true
    }

    /// Whether these bytes come before the others, byte by byte; of two where one begins the other, the shorter one does.
    func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        let common = Swift.min(count, other.count)
        var offset = 0
        while offset + 8 <= common {
            let (left, right) = (word(at: offset), other.word(at: offset))
            if left != right { return left.bigEndian < right.bigEndian }
            offset += 8
        }
        while offset < common {
            let (left, right) = (self[offset], other[offset])
            if left != right { return left < right }
            offset += 1
        }
        return count < other.count
    }

    private func word(at offset: Int) -> UInt64 {
        loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
