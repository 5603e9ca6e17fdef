import CDeflate

/// Records and documents as the columns hold them: small, for most of each is what all of them say.
///
///     00, bytes                 the bytes as they are
///     01, count, deflate        a deflate stream (RFC 1951) with ``PackingDictionary`` in its window of 8 KB; the count of
///                               the bytes that it gives stands before it, seven bits a byte, the lowest first, all but the
///                               last with 128 added
///     anything else             the bytes as they are: no JSON begins with 00 or 01
package enum PackedText {
    /// The stored form of some bytes: never more than one byte longer than these.
    package static func pack(_ bytes: [UInt8]) -> [UInt8] {
        if let packed = deflated(bytes), packed.count < bytes.count { return packed }
        return (bytes.first ?? .max) <= deflateMark ? [plainMark] + bytes : bytes
    }

    /// The bytes of a stored form, or `nil` where it is damaged.
    package static func unpack(_ stored: UnsafeRawBufferPointer) -> [UInt8]? {
        switch stored.first {
        case plainMark: return Array(stored.dropFirst())
        case deflateMark:
            guard let (count, start) = count(in: stored) else { return nil }
            return inflated(UnsafeRawBufferPointer(rebasing: stored[start...]), count: count)
        default: return Array(stored)
        }
    }

    /// How many bytes a stored form gives.
    /// - Parameters:
    ///   - start: Its first ``longestHead`` bytes.
    ///   - storedCount: The count of all of them.
    package static func size(of start: UnsafeRawBufferPointer, storedCount: Int) -> Int? {
        switch start.first {
        case plainMark: storedCount - 1
        case deflateMark: count(in: start)?.count
        default: storedCount
        }
    }

    /// As much as a count and the mark before it take.
    package static let longestHead = 6

    // MARK: The head

    private static let plainMark: UInt8 = 0
    private static let deflateMark: UInt8 = 1

    private static func head(count: Int) -> [UInt8] {
        var head = [deflateMark]
        var rest = count
        while rest > 0x7F {
            head.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return head + [UInt8(rest)]
    }

    private static func count(in stored: UnsafeRawBufferPointer) -> (count: Int, start: Int)? {
        var count = 0
        for (index, byte) in stored.enumerated().dropFirst().prefix(longestHead - 1) {
            count |= Int(byte & 0x7F) << (7 * (index - 1))
            if byte < 0x80 { return (count, index + 1) }
        }
        return nil
    }

    // MARK: Streams

    /// Two to the power of this many bytes are looked back, far more than a record has as a rule. With it and the memory level a
    /// stream takes 64 KB while it is made.
    private static let windowBits: Int32 = 13
    private static let memoryLevel: Int32 = 6
    private static let level: Int32 = 6

    private static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
        guard let expected = UInt32(exactly: bytes.count), expected < 1 << 31 else { return nil }
        var stream = z_stream()
        guard zonefolder_deflate_begin(&stream, level, windowBits, memoryLevel) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = bytes
        return input.withUnsafeMutableBufferPointer { input in
            PackingDictionary.first.withUnsafeBufferPointer {
                _ = deflateSetDictionary(&stream, $0.baseAddress, UInt32($0.count))
            }
            let head = head(count: bytes.count)
            let room = head.count + Int(deflateBound(&stream, UInt(expected)))
            return Array(unsafeUninitializedCapacity: room) { output, count in
                _ = output.update(fromContentsOf: head)
                stream.next_in = input.baseAddress
                stream.avail_in = expected
                stream.next_out = output.baseAddress! + head.count
                stream.avail_out = UInt32(room - head.count)
                let code = deflate(&stream, Z_FINISH)
                precondition(code == Z_STREAM_END, "A stream has room for all that it can become")
                count = room - Int(stream.avail_out)
            }
        }
    }

    private static func inflated(_ packed: UnsafeRawBufferPointer, count: Int) -> [UInt8]? {
        var stream = z_stream()
        guard let available = UInt32(exactly: packed.count), zonefolder_inflate_begin(&stream, windowBits) == Z_OK
        else {
            return nil
        }
        defer { inflateEnd(&stream) }
        PackingDictionary.first.withUnsafeBufferPointer {
            _ = inflateSetDictionary(&stream, $0.baseAddress, UInt32($0.count))
        }
        // One more than is expected, so that a longer one is noticed; a damaged count must not take all memory.
        guard count <= packed.count * largestRatio else { return nil }
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count + 1) { output, written in
            stream.next_in = UnsafeMutablePointer(mutating: packed.assumingMemoryBound(to: UInt8.self).baseAddress)
            stream.avail_in = available
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(count + 1)
            let code = inflate(&stream, Z_FINISH)
            written = count + 1 - Int(stream.avail_out)
            isWhole = code == Z_STREAM_END && written == count && stream.avail_in == 0
        }
        return isWhole ? bytes : nil
    }

    /// No deflate stream gives more bytes for each of its own (RFC 1951: 258 for two bits, at most), rounded up.
    private static let largestRatio = 1_100
}
