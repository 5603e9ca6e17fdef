/// A web page's origin: scheme, host and port, in the one spelling that is compared.
public struct WebOrigin: Hashable, Sendable {
    /// Such as `https://example.org` or `http://127.0.0.1:8080`; what browsers send as `Origin`.
    public let text: String

    /// Reads an origin, or the origin of a whole URL; `nil` for one without a host, and for other schemes than http and
    /// https.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
            let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://")
        else { return nil }
        let scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text[text.index(colon, offsetBy: 3)...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased()
        guard !authority.isEmpty, !authority.contains("@") else { return nil }
        let isLiteral = authority.hasPrefix("[")
        let hostEnd = isLiteral ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : nil
        guard !isLiteral || hostEnd != nil else { return nil }
        let end = hostEnd ?? authority.firstIndex(of: ":") ?? authority.endIndex
        let host = String(authority[..<end])
        let hostIsFine = host.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (97...122).contains(byte)
                || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(byte)
                || isLiteral && [UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":")].contains(byte)
        }
        guard !host.isEmpty, hostIsFine else { return nil }
        var port = authority[end...]
        if !port.isEmpty {
            guard port.removeFirst() == ":", let number = UInt16(port), number > 0 else { return nil }
            let isDefault = scheme == "https" ? number == 443 : number == 80
            self.text = "\(scheme)://\(host)\(isDefault ? "" : ":\(number)")"
        } else {
            self.text = "\(scheme)://\(host)"
        }
        self.host = host
    }

    private let host: String

    /// Whether it is on the machine of the person who looks at it.
    var isLoopback: Bool { host == "localhost" || host == "[::1]" || isLoopbackAddress }

    /// `127.` and three more numbers: `127.0.0.1.example.org` is somebody else's.
    private var isLoopbackAddress: Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Whether what is sent there can be read on the way.
    var isPlain: Bool { text.hasPrefix("http:") }
}
