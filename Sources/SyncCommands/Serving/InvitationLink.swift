import FolderSettings
import StateStorage

/// An invitation's link: a server's URL, `/invite`, and the secret after `#`, where no browser or proxy sends it on.
struct InvitationLink: Hashable, Sendable {
    /// Without a path, such as `https://notes.example.org:8443`.
    var server: String
    /// Letters, digits, `-` and `_`.
    var secret: String

    private static let path = "/invite#"

    var text: String { server + Self.path + secret }

    /// Where the secret is sent to redeem it.
    var endpoint: String { "\(server)/invite" }

    init(server: String, secret: String) {
        self.server = server
        self.secret = secret
    }

    /// Reads a link, with white space around it as pasting leaves it; `nil` for what is none.
    init?(_ text: some StringProtocol) {
        let link = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        guard let range = link.firstRange(of: Self.path) else { return nil }
        server = String(link[..<range.lowerBound])
        secret = String(link[range.upperBound...])
        let isSecret = secret.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        guard isSecret, secret.utf8.count >= 16, ServerURL(server) != nil else { return nil }
    }

    /// Whether a text was meant as a link, so that it is not taken for a folder's name.
    static func looksLikeOne(_ text: String) -> Bool {
        text.hasPrefix("http://") || text.hasPrefix("https://")
    }
}
