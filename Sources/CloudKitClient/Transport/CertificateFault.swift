import NIOSSL

#if canImport(Glibc)
    import Glibc
#endif

/// Why a server's certificate is not believed.
enum CertificateFault: Hashable, Sendable {
    /// Seconds since 1970.
    case expired(Int)
    /// Seconds since 1970.
    case notValidYet(Int)
    /// The names that it is good for, as far as they are known.
    case wrongName([String])
    case unknownAuthority

    /// What there is to say against a chain, apart from its names.
    /// - Parameters:
    ///   - chain: What the server showed, its own certificate first.
    ///   - authority: Besides the system's. One of a single certificate that is out of date is to blame itself.
    ///   - now: Seconds since 1970.
    init(of chain: [NIOSSLCertificate], authority: PrivateAuthority?, now: Int) {
        let roots = authority.map(\.certificates) ?? []
        let looked = chain + (roots.count == 1 ? roots : [])
        if let end = looked.map({ Int($0.notValidAfter) }).min(), end < now {
            self = .expired(end)
        } else if let start = looked.map({ Int($0.notValidBefore) }).max(), start > now {
            self = .notValidYet(start)
        } else {
            self = .unknownAuthority
        }
    }

    /// A sentence for people, and the way out.
    /// - Parameter host: With its port.
    func message(for host: String) -> String {
        let certificate = "The certificate of \(host)"
        return switch self {
        case .expired(let end):
            "\(certificate) expired on \(Self.day(end)). Renew it on the server, or see to this machine's clock."
        case .notValidYet(let start):
            "\(certificate) is valid from \(Self.day(start)) on only. See to this machine's clock, and to the server's."
        case .wrongName(let names):
            "\(certificate) is not made out to this name\(Self.list(names)). Name the server as its certificate does, or give "
                + "it one for this name."
        case .unknownAuthority:
            "\(certificate) is vouched for by no authority that this machine trusts. Where it is one of your own, name its "
                + "certificate: tls_ca in config.toml, or --tls-ca."
        }
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "" : " but to " + names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    }

    /// Such as `2026-11-25`, in UTC.
    private static func day(_ seconds: Int) -> String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            let length = strftime(buffer.baseAddress!, buffer.count, "%Y-%m-%d", &parts)
            return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
