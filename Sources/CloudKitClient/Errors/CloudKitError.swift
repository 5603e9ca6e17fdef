public import CloudKitWire
import HTTPTypes
import WireCoding

/// A request that failed as a whole. Errors of single items are `ItemResult` in its results.
///
/// ``reaction(hadToken:batchCount:attempts:)`` says what to do about it.
public struct CloudKitError: Error, Sendable, CustomStringConvertible {
    /// What to branch on.
    public enum Code: Hashable, Sendable {
        /// The server named one, known or not.
        case server(ServerErrorCode)
        /// An answer without a CloudKit code: from a proxy, an edge or the content host. See ``CloudKitError/status``.
        case http
        /// A 200 whose body is not what the protocol says.
        case unexpectedAnswer
        /// No complete answer.
        case transport(TransportError.Code)
        /// The newest web auth token could not be read or made durable, so no request was sent.
        case credentialsNotStored
    }

    /// What to branch on.
    public var code: Code
    /// What was asked.
    public var operation: CloudKitOperation
    /// Of the HTTP answer, where one came.
    public var status: Int?
    /// The server's words, or the transport's.
    public var reason: String?
    /// The larger of the body's and the header's; never capped.
    public var retryAfter: Duration?
    /// Names the occurrence for the server's support.
    public var uuid: String?
    /// Where to sign in. Holds a secret for its 15 minutes: show it to the person, don't log it.
    public var redirectURL: String?
    /// Whether the server may have carried the request out: look up before concluding that it did not.
    public var mayHaveBeenDone: Bool

    /// For people: names the operation, what is wrong, and the way out where the error has just one.
    public var message: String {
        let said = reason.map { ": \($0)" } ?? ""
        let support = uuid.map { " (uuid \($0))" } ?? ""
        return switch code {
        case .server(let code): "The server refused \(operation) with \(code)\(said)\(support)"
        case .http: "The server answered \(operation) with HTTP \(status ?? 0) and no CloudKit error\(said)"
        case .unexpectedAnswer: "The server's answer to \(operation) is not understood\(said)"
        // The whole sentence, whatever was asked: it is the same for everything that goes to this server.
        case .transport(.untrusted): reason ?? "The server is not trusted."
        case .transport, .credentialsNotStored: "\(operation) failed\(said)"
        }
    }

    /// The same as ``message``.
    public var description: String { message }
}

extension CloudKitError {
    /// No complete answer came back.
    static func transport(_ error: TransportError, of operation: CloudKitOperation) -> Self {
        Self(
            code: .transport(error.code), operation: operation, reason: error.message,
            mayHaveBeenDone: operation.isMutation && error.requestMayHaveArrived)
    }

    /// A 200 that cannot be read. What a mutation asked for was done, most likely.
    static func unexpectedAnswer(to operation: CloudKitOperation, status: Int = 200, _ detail: String) -> Self {
        Self(
            code: .unexpectedAnswer, operation: operation, status: status, reason: detail,
            mayHaveBeenDone: operation.isMutation)
    }

    /// Sending on would lose the token, and with it the sign-in.
    static func credentialsNotStored(_ cause: any Error, before operation: CloudKitOperation) -> Self {
        Self(
            code: .credentialsNotStored, operation: operation,
            reason: "The sign-in could not be read or saved in the state directory, so nothing was sent (\(cause)).",
            mayHaveBeenDone: false)
    }

    /// Any answer that is no success; whatever its body, it becomes an error with a code.
    static func answer(_ response: TransportResponse, to operation: CloudKitOperation) -> Self {
        let body = try? ErrorDictionary.decode(response.body)
        let unknownFate = response.status >= 500 && (body == nil || response.status != 503)
        let after = [body?.retryAfter.flatMap(Duration.init(wireSeconds:)), response.retryAfterHeader]
        return Self(
            code: body.map { .server($0.serverErrorCode) } ?? .http, operation: operation, status: response.status,
            reason: body?.reason, retryAfter: after.compactMap(\.self).max(), uuid: body?.uuid,
            redirectURL: body?.redirectURL, mayHaveBeenDone: operation.isMutation && unknownFate)
    }
}

extension Duration {
    /// Takes seconds from the wire; `nil` for what is no time to wait. Durations beyond 30,000 years become that.
    init?(wireSeconds seconds: Double) {
        guard seconds.isFinite, seconds >= 0 else { return nil }
        self = .seconds(min(seconds, 1e12))
    }
}

extension TransportResponse {
    /// `Retry-After` in its seconds form; the service does not use dates.
    var retryAfterHeader: Duration? {
        headers[.retryAfter].flatMap { Double($0) }.flatMap(Duration.init(wireSeconds:))
    }
}
