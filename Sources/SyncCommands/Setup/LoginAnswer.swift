/// What a sign-in ended with, as a URL or as a person pastes it.
enum LoginAnswer {
    /// The web auth token in a text: the text itself, or a URL's parameter under either of its names (protocol §2.1).
    /// `nil` where there is none.
    static func token(in text: some StringProtocol) -> String? {
        let text = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        guard !text.isEmpty, !text.contains(where: \.isWhitespace) else { return nil }
        guard text.contains("://") || text.contains("?") || text.contains("ckSession=") else {
            // A token has none of what makes a URL, and is long.
            return text.utf8.count >= 16 && !text.hasPrefix("/") ? text : nil
        }
        let query = text.split(separator: "?", maxSplits: 1).dropFirst().first ?? text[...]
        var found: [String: String] = [:]
        for pair in query.prefix(while: { $0 != "#" }).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { found[String(parts[0])] = decoded(parts[1]) }
        }
        return (found["ckWebAuthToken"] ?? found["ckSession"]).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Without percent-encoding. A `+` stays one: tokens have them, and spaces never.
    private static func decoded(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let byte = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
