/// Makes a small PNG of one colour, so that the demo has a real picture to carry.
///
/// The file is written from the format's definition: signature, then the chunks IHDR, IDAT and IEND, each with length,
/// name, data and CRC-32; the pixels are a zlib stream of one stored block.
/// - SeeAlso: PNG (Third Edition), sections 5 and 11; RFC 1950 and RFC 1951, section 3.2.4.
enum TinyPicture {
    private static let side = 16

    static func png(red: UInt8, green: UInt8, blue: UInt8) -> [UInt8] {
        let row = [0] + Array(repeatElement([red, green, blue], count: side).joined())
        let pixels = Array(repeatElement(row, count: side).joined())
        let header = bigEndian(UInt32(side)) + bigEndian(UInt32(side)) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", header) + chunk("IDAT", stored(pixels)) + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return bigEndian(UInt32(data.count)) + body + bigEndian(crc(body))
    }

    /// A zlib stream that holds the bytes as they are, at most 65,535.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let length = UInt16(bytes.count)
        let lengths = [length, ~length].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        return [0x78, 0x01, 0x01] + lengths + bytes + bigEndian(adler(bytes))
    }

    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~crc
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
