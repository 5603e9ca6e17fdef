/// A host and a port that requests go to: one of them is reached, or is not, as a whole.
public struct ServerOrigin: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address; one of IPv6 without its brackets.
    public var host: String
    public var port: Int

    /// The host and the port of a URL; `nil` where it has none that can be asked.
    public init?(of url: String) {
        let isSecure = url.utf8.starts(with: "https://".utf8)
        guard isSecure || url.utf8.starts(with: "http://".utf8) else { return nil }
        let authority = url.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let name: Substring
        let rest: Substring
        if place.hasPrefix("[") {
            guard let end = place.firstIndex(of: "]") else { return nil }
            name = place[..<end].dropFirst()
            rest = place[end...].dropFirst()
        } else {
            name = place.prefix { $0 != ":" }
            rest = place.dropFirst(name.count)
        }
        guard !name.isEmpty else { return nil }
        host = name.lowercased()
        guard rest.hasPrefix(":"), rest.count > 1 else {
            port = isSecure ? 443 : 80
            return
        }
        guard let port = Int(rest.dropFirst()), (1...65_535).contains(port) else { return nil }
        self.port = port
    }

    /// As it stands in a URL.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
