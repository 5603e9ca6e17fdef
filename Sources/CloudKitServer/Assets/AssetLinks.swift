import CloudKitWire

/// The links to assets that answers give out: signed, and good for a limited time only.
struct AssetLinks {
    var key: ServerKey
    var baseURL: String
    var now: Int64

    /// How long a download link is good: at least an hour, and the same link for an hour, so that caches can work.
    private static let period: Int64 = 3600

    /// The asset as answers name it: with a link, and never with a receipt.
    func readable(_ asset: Asset) -> Asset {
        guard let checksum = asset.fileChecksum.flatMap({ bytes(base64: $0) }) else { return asset }
        let expiry = (now / 1000 / Self.period + 2) * Self.period
        let code = key.code(for: .download, checksum + expiry.bigEndianBytes).prefix(16)
        var readable = asset
        readable.receipt = nil
        readable.downloadURL = "\(baseURL)/assets/\(hex(checksum))/${f}?e=\(expiry)&s=\(hex(code))"
        return readable
    }

    /// The checksum that a download link asks for; `nil` where the link is altered or too old.
    static func checksum(
        of checksum: some StringProtocol, expiry: String?, code: String?, now: Int64, _ key: ServerKey
    ) -> [UInt8]? {
        guard let checksum = bytes(hex: checksum), let expiry = expiry.flatMap({ Int64($0) }), expiry > now / 1000,
            let code = code.flatMap({ bytes(hex: $0) }), code.count == 16
        else { return nil }
        let expected = key.code(for: .download, checksum + expiry.bigEndianBytes).prefix(16)
        return constantTimeEqual(code, expected) ? checksum : nil
    }
}

/// Compares two codes in a time that depends on their length only.
func constantTimeEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
}
