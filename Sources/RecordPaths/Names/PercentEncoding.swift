/// Percent-encoding of bytes as record names and path attributes use it: capital digits, `%` itself encoded,
/// printable ASCII (the space included) left as it is.
package enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Whether a byte stands for itself.
    static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "%")
    }

    /// One byte as `%XX`.
    static func escape(_ byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// The bytes with everything that is not plain encoded.
    package static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var encoded: [UInt8] = []
        for byte in bytes {
            if isPlain(byte) { encoded.append(byte) } else { encoded += escape(byte) }
        }
        return encoded
    }

    /// The bytes that `encoded` stands for, or `nil` where a `%` is not followed by two digits.
    static func decode(_ encoded: some Sequence<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        var iterator = encoded.makeIterator()
        while let byte = iterator.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = iterator.next().flatMap(value), let low = iterator.next().flatMap(value) else {
                return nil
            }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    /// The longest start of an encoded text within `limit` bytes that does not cut a `%XX` in two.
    static func prefix(_ encoded: [UInt8], limit: Int) -> ArraySlice<UInt8> {
        guard encoded.count > limit else { return encoded[...] }
        var end = max(limit, 0)
        for back in 1...2 where end >= back && encoded[end - back] == UInt8(ascii: "%") {
            end -= back
            break
        }
        return encoded[..<end]
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
