import LosslessJSON

/// What a `redirectURL` carries: for which API token somebody is to sign in, and until when. Sealed by the server, which
/// keeps nothing about sign-ins under way; it opens nothing but the sign-in page.
struct SignInRequest: Hashable, Sendable {
    /// The hash of the API token's text, by which the callback and the container are found.
    var apiToken: [UInt8]
    /// The page that asked, the only one that the token is posted to; `nil` where none did.
    var origin: String?
    /// Seconds since 1970, UTC.
    var expiry: Int64

    /// How long a `redirectURL` is good (protocol §2.1).
    static let seconds: Int64 = 15 * 60

    init(apiToken: [UInt8], origin: String?, expiry: Int64) {
        self.apiToken = apiToken
        self.origin = origin
        self.expiry = expiry
    }

    func text(_ key: ServerKey) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.key("token")
        json.string(hex(apiToken))
        json.key("expiry")
        json.int64(expiry)
        if let origin {
            json.key("origin")
            json.string(origin)
        }
        json.endObject()
        return key.seal(json.bytes, for: .signInRequest)
    }

    /// Reads one that this server sealed and that is not too old.
    init?(_ text: String, now: Int64, _ key: ServerKey) {
        guard let bytes = key.open(text, for: .signInRequest), let root = try? JSONDocument(parsing: bytes).root,
            let token = root["token"]?.string.flatMap({ CloudKitServer.bytes(hex: $0) }),
            let expiry = root["expiry"]?.int64, expiry > now / 1000
        else { return nil }
        self.init(apiToken: token, origin: root["origin"]?.string, expiry: expiry)
    }

    func url(baseURL: String, _ key: ServerKey) -> String {
        "\(baseURL)/sign-in?request=\(queryEncoded(text(key)))"
    }
}

/// Text as a query's value: everything but letters, digits and `-._~` percent-encoded.
func queryEncoded(_ text: String) -> String {
    var encoded: [UInt8] = []
    for byte in text.utf8 {
        switch byte {
        case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            encoded.append(byte)
        default: encoded += Array("%\(hex([byte]).uppercased())".utf8)
        }
    }
    return String(decoding: encoded, as: UTF8.self)
}
