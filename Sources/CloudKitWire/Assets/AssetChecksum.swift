import WireCoding

/// The `fileChecksum` of an asset as a server of this project makes it: of its bytes anybody can tell whether they are that
/// asset's.
///
/// 21 bytes in base64, like those of Apple's service: the mark 0x5A, then the first 20 bytes of the content's SHA-256. Apple's
/// begin with 0x01 and cannot be computed by a client (protocol §3.10), so they are none of these.
public struct AssetChecksum: Hashable, Sendable {
    private static let mark: UInt8 = 0x5A
    private static let length = 21

    /// The mark and the start of the hash.
    public let bytes: [UInt8]

    /// The checksum of content with this SHA-256.
    public init(sha256: some Sequence<UInt8>) {
        bytes = [Self.mark] + sha256.prefix(Self.length - 1)
    }

    /// Reads a `fileChecksum`; `nil` for one of another making, which says nothing of the bytes.
    public init?(_ text: String) {
        guard let bytes = Base64.decode(text.utf8), bytes.count == Self.length, bytes[0] == Self.mark else {
            return nil
        }
        self.bytes = bytes
    }

    /// As an asset names it.
    public var text: String { String(decoding: Base64.encode(bytes), as: UTF8.self) }

    /// Whether content with this SHA-256 has this checksum.
    public func isOf(sha256: some Sequence<UInt8>) -> Bool {
        self == Self(sha256: sha256)
    }
}
