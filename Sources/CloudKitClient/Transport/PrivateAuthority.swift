import NIOSSL

/// Certificates of authorities that vouch for servers, besides those that the system trusts.
public struct PrivateAuthority: Hashable, Sendable {
    let certificates: [NIOSSLCertificate]

    /// Reads a file's text; `nil` where it is no PEM with a certificate.
    public init?(pem: [UInt8]) {
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(pem), !certificates.isEmpty else { return nil }
        self.certificates = certificates
    }

    /// A client's TLS that trusts the system's authorities and these.
    static func configuration(trusting authority: Self?) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        if let authority { configuration.additionalTrustRoots = [.certificates(authority.certificates)] }
        return configuration
    }
}
