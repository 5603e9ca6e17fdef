/// A web auth token: a session and the token's number in it, signed.
///
/// Its text has the shape that the service's tokens were seen in, with the `+`, `/` and `=` that clients must
/// percent-encode.
struct WebAuthToken: Hashable, Sendable {
    var session: Int64
    var number: Int64

    private static let prefix = "106__54__"

    func text(_ key: ServerKey) -> String {
        // The leading byte makes the length no multiple of three, so that the text ends in '='.
        Self.prefix + key.seal([1] + session.bigEndianBytes + number.bigEndianBytes, for: .webAuthToken)
    }

    init(session: Int64, number: Int64) {
        self.session = session
        self.number = number
    }

    /// Reads a token that this server signed; `nil` for every other text.
    init?(_ text: String, _ key: ServerKey) {
        guard text.hasPrefix(Self.prefix),
            let bytes = key.open(String(text.dropFirst(Self.prefix.count)), for: .webAuthToken), bytes.count == 17
        else { return nil }
        session = Int64(bigEndianBytes: bytes[1..<9])
        number = Int64(bigEndianBytes: bytes[9..<17])
    }
}
