import NIOCore
import NIOPosix
import NIOSSL

#if canImport(Glibc)
    import Glibc
#endif

/// Looks at a certificate that was refused: the handshake's own error does not tell what is wrong with it.
///
/// Makes one connection, on which nothing but a handshake's beginning is sent.
struct CertificateInspection {
    var authority: PrivateAuthority?
    var limit: TimeAmount
    var group: any EventLoopGroup

    /// What is wrong with the certificate of a server whose handshake failed; `nil` where that is no matter of a
    /// certificate.
    /// - Parameter error: What the handshake failed with.
    func fault(of host: String, port: Int, after error: any Error) async -> CertificateFault? {
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
            let chain = await chain(of: host, port: port)
            return .wrongName(chain.first.map(Self.names) ?? [])
        }
        switch error as? NIOSSLError {
        case .unableToValidateCertificate, .noCertificateToValidate: return .unknownAuthority
        case .handshakeFailed(let reason) where "\(reason)".contains("CERTIFICATE_VERIFY_FAILED"):
            return CertificateFault(of: await chain(of: host, port: port), authority: authority, now: time(nil))
        default: return nil
        }
    }

    /// What the server shows, its own certificate first; nothing where it cannot be had any more.
    private func chain(of host: String, port: Int) async -> [NIOSSLCertificate] {
        let loop = group.next()
        let shown = loop.makePromise(of: [NIOSSLCertificate].self)
        let timeout = loop.scheduleTask(in: limit) { shown.succeed([]) }
        defer { timeout.cancel() }
        do {
            let context = try NIOSSLContext(configuration: PrivateAuthority.configuration(trusting: nil))
            let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
            let channel = try await ClientBootstrap(group: loop).connectTimeout(limit)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(
                                context: context, serverHostname: isAddress ? nil : host,
                                customVerificationCallback: { chain, verdict in
                                    shown.succeed(chain)
                                    verdict.succeed(.failed)
                                }))
                    }
                }
                .connect(host: host, port: port).get()
            channel.closeFuture.whenComplete { _ in shown.succeed([]) }
            let chain = try await shown.futureResult.get()
            channel.close(promise: nil)
            return chain
        } catch {
            shown.succeed([])
            return []
        }
    }

    /// The names that a certificate is made out to.
    private static func names(of certificate: NIOSSLCertificate) -> [String] {
        certificate._subjectAlternativeNames().compactMap { name in
            switch name.nameType {
            case .dnsName: name.contents.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
            case .ipAddress: try? SocketAddress(packedIPAddress: ByteBuffer(bytes: name.contents), port: 0).ipAddress
            default: nil
            }
        }
    }
}
