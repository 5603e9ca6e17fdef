#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where a server is, as a person writes it: scheme, host and perhaps a port, with no path.
public struct ServerURL: Hashable, Sendable {
    /// Without the brackets of an IPv6 address.
    public let host: String
    /// Whether the scheme is `http`: no TLS.
    public let isPlain: Bool

    /// Reads a URL; `nil` for one with a path, with a user name, of another scheme than `https` and `http`, or with
    /// a port that is none.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        let schemes = ["https://", "http://"]
        guard let scheme = schemes.first(where: { bytes.starts(with: $0.utf8) }) else { return nil }
        let authority = bytes.dropFirst(scheme.utf8.count)
        guard authority.allSatisfy({ (0x21..<0x7F).contains($0) }),
            !authority.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "@") })
        else { return nil }
        let isLiteral = authority.first == UInt8(ascii: "[")
        let end = isLiteral ? authority.firstIndex(of: UInt8(ascii: "]")) : authority.firstIndex(of: UInt8(ascii: ":"))
        guard !isLiteral || end != nil else { return nil }
        let host = authority[..<(end ?? authority.endIndex)].dropFirst(isLiteral ? 1 : 0)
        guard !host.isEmpty else { return nil }
        if let end {
            let rest = authority[end...].dropFirst(isLiteral ? 1 : 0)
            guard rest.isEmpty || rest.first == UInt8(ascii: ":") else { return nil }
            let port = String(decoding: rest.dropFirst(), as: UTF8.self)
            guard rest.isEmpty || UInt16(port) != nil && port.first != "+" else { return nil }
        }
        self.host = String(decoding: host, as: UTF8.self)
        isPlain = scheme == "http://"
    }

    /// Whether what is sent there can be read, and changed, on its way: tokens, and everything of the folder.
    public var isExposed: Bool { isPlain && !Self.isLoopback(host) }

    /// Whether a host is this machine itself, by its name or its address alone: what a name server says is no proof.
    public static func isLoopback(_ host: String) -> Bool {
        if host.lowercased() == "localhost" { return true }
        var four = in_addr()
        if inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        var six = in6_addr()
        guard inet_pton(AF_INET6, host, &six) == 1 else { return false }
        return withUnsafeBytes(of: &six) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }
}
