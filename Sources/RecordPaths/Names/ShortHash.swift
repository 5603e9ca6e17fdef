import Crypto

/// The start of a SHA-256 in lowercase hexadecimal: tells names apart, alike on every device.
package enum ShortHash {
    private static let alphabet = Array("0123456789abcdef".utf8)

    /// The first digits of the hash, at most 64.
    package static func digits(_ count: Int, of bytes: some Sequence<UInt8>) -> [UInt8] {
        let hash = SHA256.hash(data: Array(bytes))
        return Array(hash.flatMap { [alphabet[Int($0 >> 4)], alphabet[Int($0 & 15)]] }.prefix(count))
    }

    /// Whether a byte is one of the digits that ``digits(_:of:)`` gives.
    static func isDigit(_ byte: UInt8) -> Bool {
        alphabet.contains(byte)
    }
}
