import Crypto
import FoundationEssentials
import Glibc
public import HTTPTypes

/// A server-to-server key, which signs requests to the public database: what scripts use instead of a person's sign-in.
///
/// A signature covers the moment, the body and the path, and is good for ten minutes; so a wrong clock is refused like a
/// wrong key. It is made for each request anew and nothing about it is stored.
/// - SeeAlso: CloudKit Web Services Reference, "Composing Web Service Requests".
public struct ServerKeySession: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// What the CloudKit console, or `zonefolder serve key add`, calls the key.
    public let keyID: String
    private let privateKey: P256.Signing.PrivateKey
    /// Seconds since 1970, UTC.
    private let now: @Sendable () -> Int64

    /// Takes a key from a file as `openssl ecparam -name prime256v1 -genkey -noout` writes it, or in PKCS #8.
    /// - Throws: ``ServerKeyError`` where that is no private key of the curve P-256.
    public init(
        keyID: String, privateKeyPEM: String, now: @escaping @Sendable () -> Int64 = Self.systemTime
    ) throws(ServerKeyError) {
        self.keyID = keyID
        self.now = now
        do {
            privateKey = try P256.Signing.PrivateKey(pemRepresentation: privateKeyPEM)
        } catch {
            // The parser's error could quote the key.
            throw .notAPrivateKey
        }
    }

    /// The machine's clock.
    public static let systemTime: @Sendable () -> Int64 = { Int64(time(nil)) }

    /// The three headers that prove a request.
    /// - Parameter path: With the query, if there is one; without scheme and host.
    public func headers(path: String, body: [UInt8]) throws -> HTTPFields {
        let date = Self.text(ofSeconds: now())
        let signature = try privateKey.signature(for: Array(Self.message(date: date, path: path, body: body).utf8))
        var headers: HTTPFields = [:]
        headers[.init("X-Apple-CloudKit-Request-KeyID")!] = keyID
        headers[.init("X-Apple-CloudKit-Request-ISO8601Date")!] = date
        headers[.init("X-Apple-CloudKit-Request-SignatureV1")!] = signature.derRepresentation.base64EncodedString()
        return headers
    }

    /// What is signed. An empty body has the hash of no bytes.
    static func message(date: String, path: String, body: [UInt8]) -> String {
        "\(date):\(Data(SHA256.hash(data: body)).base64EncodedString()):\(path)"
    }

    /// Such as `2016-01-25T22:15:43Z`.
    static func text(ofSeconds seconds: Int64) -> String {
        var seconds = time_t(seconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func digits(_ number: Int32, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        return "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))"
            + "T\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2)):\(digits(parts.tm_sec, 2))Z"
    }

    /// Names the key, and never shows it.
    public var description: String { "<server-to-server key \(keyID)>" }
    /// Names the key, and never shows it.
    public var debugDescription: String { description }
}

/// Why a server-to-server key cannot be used.
public struct ServerKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and the way out.
    public var message: String

    /// The message.
    public var description: String { message }

    static let notAPrivateKey = Self(
        message: "The key file holds no private key of the curve P-256 in PEM. Make one with: "
            + "openssl ecparam -name prime256v1 -genkey -noout -out key.pem")
}
