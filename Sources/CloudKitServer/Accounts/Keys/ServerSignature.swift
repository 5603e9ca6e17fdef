import Crypto
import HTTPTypes
import Hummingbird

// A server-to-server request (protocol §2.2): ECDSA on P-256 with SHA-256, the signature in DER and base64, over
//
//     date ":" base64(SHA256(body)) ":" subpath
//
// The sources disagree about two things, and both readings are taken: whether a query belongs to the subpath, and whether
// an empty body's hash is that of no bytes or is left out.

/// What a server-to-server request says of itself; nothing of it is believed before it was verified.
public struct ServerSignature: Hashable, Sendable {
    /// `X-Apple-CloudKit-Request-KeyID`.
    public var keyID: String
    /// `X-Apple-CloudKit-Request-ISO8601Date`, as it was sent.
    public var date: String
    /// `X-Apple-CloudKit-Request-SignatureV1`.
    public var signature: String
    /// The request's path with its query, as it was sent.
    public var target: String
    /// The request's body.
    public var body: [UInt8]

    /// The three headers and what they sign.
    public init(keyID: String, date: String, signature: String, target: String, body: [UInt8]) {
        self.keyID = keyID
        self.date = date
        self.signature = signature
        self.target = target
        self.body = body
    }

    /// `nil` for a request that has none of the headers.
    init?(of request: Request, body: [UInt8]) {
        let headers = request.headers
        guard headers[.serverKeyID] != nil || headers[.serverKeyDate] != nil || headers[.serverKeySignature] != nil
        else { return nil }
        self.init(
            keyID: headers[.serverKeyID] ?? "", date: headers[.serverKeyDate] ?? "",
            signature: headers[.serverKeySignature] ?? "", target: request.uri.string, body: body)
    }

    /// So long a signature is good from its date on, and so much a client's clock may be ahead, both in milliseconds.
    static let lifetime: Int64 = 10 * 60 * 1000
    static let allowedAhead: Int64 = 60 * 1000

    /// Whether the date is of now.
    func isTimely(now: Int64) -> Bool {
        guard let date = Self.milliseconds(of: date) else { return false }
        return now - date <= Self.lifetime && date - now <= Self.allowedAhead
    }

    /// Whether a key's owner signed this very request.
    func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        guard let bytes = bytes(base64: signature),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: bytes)
        else { return false }
        return messages.contains { key.isValidSignature(signature, for: Array($0.utf8)) }
    }

    /// The readings of what is signed.
    var messages: [String] {
        let path = String(target.prefix { $0 != "?" })
        let hashes = [base64(Array(SHA256.hash(data: body)))] + (body.isEmpty ? [""] : [])
        let subpaths = path == target ? [path] : [path, target]
        return hashes.flatMap { hash in subpaths.map { "\(date):\(hash):\($0)" } }
    }

    /// Reads `2016-01-25T22:15:43Z`, and nothing that is spelled otherwise.
    static func milliseconds(of date: String) -> Int64? {
        let text = Array(date.utf8)
        let shape = Array("0000-00-00T00:00:00Z".utf8)
        guard text.count == shape.count else { return nil }
        for (byte, model) in zip(text, shape) {
            guard model == UInt8(ascii: "0") ? (48...57).contains(byte) : byte == model else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64 { text[range].reduce(0) { $0 * 10 + Int64($1 - 48) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard year >= 1970, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        // Days since 1970 in the civil calendar, with years that begin in March.
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000
    }
}

extension HTTPField.Name {
    static let serverKeyID = Self("X-Apple-CloudKit-Request-KeyID")!
    static let serverKeyDate = Self("X-Apple-CloudKit-Request-ISO8601Date")!
    static let serverKeySignature = Self("X-Apple-CloudKit-Request-SignatureV1")!
}
