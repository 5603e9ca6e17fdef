public import CloudKitClient
public import FolderSettings
import SystemPackage

extension FolderConfiguration {
    /// The authority of one's own that vouches for the server; `nil` where `tls_ca` names none.
    /// - Throws: `StateError` with the code `configuration` where the file cannot be read or holds no certificate.
    public var privateAuthority: PrivateAuthority? {
        get throws(StateError) {
            guard let authorityFile else { return nil }
            let bytes: [UInt8]
            do {
                bytes = try Self.bytes(of: FilePath(authorityFile))
            } catch {
                throw .configuration(
                    "tls_ca",
                    "names \(authorityFile), which cannot be read: \(error). Name the authority's certificate.")
            }
            guard let authority = PrivateAuthority(pem: bytes) else {
                throw .configuration(
                    "tls_ca", "names \(authorityFile), which holds no certificate in PEM (-----BEGIN CERTIFICATE-----)."
                )
            }
            return authority
        }
    }

    private static func bytes(of path: FilePath) throws -> [UInt8] {
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        return try file.closeAfter {
            // All authorities of a system are a quarter of that.
            try [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
                count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
    }
}
