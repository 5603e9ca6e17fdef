import SystemPackage

/// Why the server could not start or store something; what a request does wrong is an `ErrorDictionary` instead.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What to branch on.
    public enum Code: Hashable, Sendable {
        case inUse, file, diskFull, address, callback, key, name, certificate, missing, older, newer, damaged
    }

    /// The kind of failure.
    public var code: Code
    /// For people: what is wrong, and the way out.
    public var message: String

    /// The message.
    public var description: String { message }

    static func inUse(_ directory: FilePath) -> Self {
        Self(
            code: .inUse,
            message: "Another server already uses \(directory). Stop it first, or choose another directory.")
    }

    static func file(_ call: String, _ path: FilePath, _ error: Errno) -> Self {
        Self(code: error.isOfFullDisk ? .diskFull : .file, message: "Cannot \(call) \(path): \(error).")
    }

    static func cannotListen(_ host: String, _ port: Int, _ error: Errno) -> Self {
        Self(
            code: .address,
            message: error == .addressInUse
                ? "Another program listens on \(host), port \(port). Choose another port, or end that program."
                : "Cannot listen on \(host), port \(port): \(error). Choose an address of this machine, and a port that "
                    + "you may use.")
    }

    static func callback(_ url: String) -> Self {
        Self(
            code: .callback,
            message:
                "'\(url)' cannot be a callback: it gets a secret in its query. Give an https URL, or an http URL on "
                + "127.0.0.1, without a fragment.")
    }

    static let notAPublicKey = Self(
        code: .key,
        message: "This is no public key of the curve P-256 in PEM. Make one with: openssl ec -in key.pem -pubout")

    static func nameOfAKey(_ name: String) -> Self {
        Self(code: .name, message: "'\(name)' is the name of a server-to-server key. Choose another one for a person.")
    }

    static func noRole(_ role: String, container: String, environment: String) -> Self {
        Self(
            code: .name,
            message:
                "The \(environment) schema of \(container) has no role '\(role)'. Make it there with CREATE ROLE, or see "
                + "to the spelling.")
    }

    static func noCertificate(in path: FilePath) -> Self {
        Self(
            code: .certificate,
            message:
                "\(path) holds no certificate in PEM (-----BEGIN CERTIFICATE-----). Name the server's certificate, with "
                + "those after it that lead to its authority.")
    }

    static func noPrivateKey(in path: FilePath) -> Self {
        Self(
            code: .certificate,
            message:
                "\(path) holds no private key in PEM without a passphrase. Name the key that the certificate was made for."
        )
    }

    static func foreignKey(_ key: FilePath, of certificate: FilePath) -> Self {
        Self(
            code: .certificate,
            message:
                "The key in \(key) is not that of the certificate in \(certificate), or of a kind that TLS does not take. "
                + "Name the two that were made together.")
    }

    static func noData(_ directory: FilePath) -> Self {
        Self(code: .missing, message: "\(directory) holds no server's data. See to the spelling.")
    }

    static func olderData(_ directory: FilePath) -> Self {
        Self(
            code: .older,
            message:
                "The data in \(directory) is of an earlier version, or empty. The server brings it up to date when it "
                + "starts.")
    }

    static let neverListened = Self(code: .address, message: "The server stopped before it listened on a port.")
}
