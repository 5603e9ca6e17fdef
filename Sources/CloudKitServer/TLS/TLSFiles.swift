import Glibc
public import SystemPackage

/// What a server shows to prove who it is, in PEM; either file can be renewed at any time.
public struct TLSFiles: Hashable, Sendable {
    /// The server's certificate, after it those that lead from it to an authority.
    public var certificate: FilePath
    /// The certificate's key, not encrypted.
    public var privateKey: FilePath

    /// Names both files.
    public init(certificate: FilePath, privateKey: FilePath) {
        self.certificate = certificate
        self.privateKey = privateKey
    }

    /// What tells that a file was renewed, also where it is a link to another one than before.
    struct Stamp: Hashable {
        var device: UInt
        var inode: UInt
        var size: Int
        var modifiedSeconds: Int
        var modifiedNanoseconds: Int
    }

    /// Both files' stamps; `nil` for one that is not there.
    var stamps: [Stamp?] { [stamp(of: certificate), stamp(of: privateKey)] }

    private func stamp(of path: FilePath) -> Stamp? {
        var status = stat()
        guard stat(path.string, &status) == 0 else { return nil }
        return Stamp(
            device: UInt(status.st_dev), inode: UInt(status.st_ino), size: Int(status.st_size),
            modifiedSeconds: status.st_mtim.tv_sec, modifiedNanoseconds: status.st_mtim.tv_nsec)
    }
}
