import CloudKitWire
import Crypto
import WireCoding

/// The server's secret, which signs what clients carry for it: tokens, receipts and URLs.
///
/// It lives in the database, whose directory is readable by the server's account alone. Whoever has it can forge every
/// credential; whoever has only a token or a link can forge none.
struct ServerKey: Sendable {
    private let key: SymmetricKey

    init(_ bytes: [UInt8]) {
        key = SymmetricKey(data: bytes)
    }

    /// A code over some bytes, valid for one purpose only, so that a receipt can never pass as a token.
    func code(for purpose: Purpose, _ bytes: some Sequence<UInt8>) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: [purpose.rawValue] + bytes, using: key))
    }

    /// Whether a code is right, in a time that does not depend on how wrong it is.
    func isValid(_ code: some Sequence<UInt8>, for purpose: Purpose, _ bytes: some Sequence<UInt8>) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(Array(code), authenticating: [purpose.rawValue] + bytes, using: key)
    }

    /// Bytes with their code appended, as base64.
    func seal(_ bytes: [UInt8], for purpose: Purpose) -> String {
        base64(bytes + code(for: purpose, bytes))
    }

    /// What was sealed for a purpose, or `nil` where it was altered or sealed for another one.
    func open(_ text: String, for purpose: Purpose) -> [UInt8]? {
        guard let bytes = bytes(base64: text), bytes.count > 32 else { return nil }
        let content = Array(bytes.dropLast(32))
        return isValid(bytes.suffix(32), for: purpose, content) ? content : nil
    }

    enum Purpose: UInt8 {
        // 3 made the checksums of assets, of which some may be stored.
        case webAuthToken = 1, syncToken
        case assetKey = 4, receipt, upload, download, continuationMarker
        case signInRequest = 101, signInForm, signInLimit
    }
}

/// SHA-256 of a secret, which is all that the database keeps of it.
func digest(of secret: String) -> [UInt8] {
    Array(SHA256.hash(data: Array(secret.utf8)))
}

func base64(_ bytes: [UInt8]) -> String {
    String(decoding: Base64.encode(bytes), as: UTF8.self)
}

/// For URLs, without padding.
func base64URL(_ bytes: [UInt8]) -> String {
    String(base64(bytes).prefix { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
}

func bytes(base64 text: String) -> [UInt8]? {
    Base64.decode(text.utf8)
}

extension FixedWidthInteger {
    /// Most significant byte first.
    var bigEndianBytes: [UInt8] {
        (0..<(Self.bitWidth / 8)).reversed().map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }

    /// The integer that some bytes hold, most significant first.
    init(bigEndianBytes bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }
}
