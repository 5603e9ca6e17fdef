import Glibc
import NIOSSL
import SystemPackage

/// A certificate chain and the key that goes with it.
struct ServerIdentity: Sendable {
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey

    /// Reads both files.
    /// - Throws: ``ServerError`` `certificate` where one cannot be read, is no PEM, or they do not belong together.
    init(reading files: TLSFiles) throws {
        let text = try Self.bytes(of: files.certificate)
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(text), !chain.isEmpty else {
            throw ServerError.noCertificate(in: files.certificate)
        }
        guard let key = try? NIOSSLPrivateKey(bytes: Self.bytes(of: files.privateKey), format: .pem) else {
            throw ServerError.noPrivateKey(in: files.privateKey)
        }
        self.chain = chain
        self.key = key
        guard (try? NIOSSLContext(configuration: configuration)) != nil else {
            throw ServerError.foreignKey(files.privateKey, of: files.certificate)
        }
    }

    /// TLS 1.2 and later, with this identity.
    var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        return configuration
    }

    /// What a handshake shows instead of what its context has.
    var override: NIOSSLContextConfigurationOverride {
        var override = NIOSSLContextConfigurationOverride()
        override.certificateChain = chain.map { .certificate($0) }
        override.privateKey = .privateKey(key)
        return override
    }

    /// When the first of the chain expires, in seconds since 1970.
    var end: Int { chain.map { Int($0.notValidAfter) }.min() ?? 0 }

    private static func bytes(of path: FilePath) throws -> [UInt8] {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            return try file.closeAfter {
                try [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
                    count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
            }
        } catch let error as Errno {
            throw ServerError.file("read", path, error)
        }
    }
}
