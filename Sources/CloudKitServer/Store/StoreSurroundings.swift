import Glibc
import SystemPackage

/// Where a store takes its time and its randomness from.
public struct StoreSurroundings: Sendable {
    /// Milliseconds since 1970, UTC.
    public var now: @Sendable () -> Int64
    /// As many random bytes as asked for; they must be unpredictable wherever strangers can reach the server.
    public var randomBytes: @Sendable (Int) -> [UInt8]
    /// Why a directory's disk takes no more, where SQLite does not say it; `nil`: it takes some.
    var writingError: @Sendable (FilePath) -> Errno? = { DiskProbe.error(writingTo: $0) }

    /// Takes a clock and a source of randomness.
    public init(now: @escaping @Sendable () -> Int64, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.now = now
        self.randomBytes = randomBytes
    }

    /// The machine's clock and its random numbers.
    public static let system = StoreSurroundings(
        now: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        },
        randomBytes: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        })

    /// A random (version 4) UUID in lower case.
    func uuid() -> String {
        var bytes = randomBytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(hex(bytes))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}

/// Two lower-case hexadecimal digits for each byte.
func hex(_ bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    for byte in bytes {
        for half in [byte >> 4, byte & 15] { digits.append(half < 10 ? 48 + half : 87 + half) }
    }
    return String(decoding: digits, as: UTF8.self)
}

/// The bytes of an even number of hexadecimal digits.
func bytes(hex text: some StringProtocol) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
        guard let high = hexDigit(digits[index]), let low = hexDigit(digits[index + 1]) else { return nil }
        bytes.append(high << 4 | low)
    }
    return bytes
}

func hexDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case 48...57: character - 48
    case 65...70: character - 55
    case 97...102: character - 87
    default: nil
    }
}
