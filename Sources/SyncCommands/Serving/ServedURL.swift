#if canImport(Glibc)
    import Glibc
#endif

/// Where a server is reached.
enum ServedURL {
    /// Where it listens if not told otherwise.
    static let standard = "http://\(ListenAddress.standard)"

    /// The address that a server listens on, as a URL.
    static func own(scheme: String, host: String, port: Int) -> String {
        "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// The URL that links for others name: the public one where there is one, and the machine's name for a server that
    /// listens on every address.
    static func forOthers(publicURL: String?, scheme: String, host: String, port: Int, machine: String) -> String {
        if let publicURL { return publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL }
        let isEvery = host == "0.0.0.0" || host == "::"
        return own(scheme: scheme, host: isEvery && !machine.isEmpty ? machine : host, port: port)
    }

    /// The machine's name, as its network knows it.
    static var machine: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "" }
        return withUnsafeBytes(of: &name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
