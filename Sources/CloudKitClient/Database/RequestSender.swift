import CloudKitWire
import HTTPTypes
import Logging
import WireCoding

/// Sends an operation with the session's credentials and reads its answer: the one place where tokens rotate, refused
/// ones are replaced, and errors get their type.
struct RequestSender: Sendable {
    /// A request is sent here at most this often in all: with each token that is kept, some of them after a sibling's
    /// refusal, and over a new connection.
    private static let maximumTries = TokenRotation.spareLimit + 4

    let address: DatabaseAddress
    let credentials: RequestCredentials
    let transport: any CloudKitTransport
    let logger: Logger
    let onRequest: RequestObserver?
    /// A clock that never jumps.
    let now: @Sendable () -> Duration

    /// Sends a message, if there is one, and decodes the answer.
    func call<Answer: WireValue>(
        _ operation: CloudKitOperation, _ message: (some WireValue)?, as answer: Answer.Type = Answer.self
    ) async throws(CloudKitError) -> Answer {
        let response = try await authorized(operation, body: message?.encoded())
        return try decode(response, of: operation)
    }

    /// Reads the body of a 200.
    func decode<Answer: WireValue>(
        _ response: TransportResponse, of operation: CloudKitOperation
    ) throws(CloudKitError) -> Answer {
        do {
            return try Answer.decode(response.body)
        } catch {
            throw .unexpectedAnswer(to: operation, status: response.status, error.message)
        }
    }

    /// Sends with credentials; gives only answers with status 200.
    func authorized(_ operation: CloudKitOperation, body: [UInt8]?) async throws(CloudKitError) -> TransportResponse {
        switch credentials {
        case .session(let session): try await authorized(operation, body: body, by: session)
        case .serverKey(let key): try await signed(operation, body: body, by: key)
        }
    }

    private func signed(
        _ operation: CloudKitOperation, body: [UInt8]?, by key: ServerKeySession
    ) async throws(CloudKitError) -> TransportResponse {
        let path = address.path(of: operation)
        let headers: HTTPFields
        do {
            headers = try key.headers(path: path, body: body ?? [])
        } catch {
            throw .credentialsNotStored(error, before: operation)
        }
        let response = try await observed(
            TransportRequest(operation, url: address.baseURL + path, headers: headers, body: body), as: operation)
        guard response.status == 200 else { throw .answer(response, to: operation) }
        return response
    }

    private func authorized(
        _ operation: CloudKitOperation, body: [UInt8]?, by session: WebAuthSession
    ) async throws(CloudKitError) -> TransportResponse {
        var triesLeft = Self.maximumTries
        var connectionsLeft = operation.isRepeatable ? 1 : 0
        while true {
            triesLeft -= 1
            let grant: WebAuthSession.Grant
            do {
                grant = try await session.authorize()
            } catch is CancellationError {
                throw .transport(.cancelled(requestMayHaveArrived: false), of: operation)
            } catch {
                throw .credentialsNotStored(error, before: operation)
            }
            let request = TransportRequest(
                operation, url: address.url(of: operation, apiToken: grant.apiToken, webAuthToken: grant.token),
                body: body)
            let response: TransportResponse
            do {
                response = try await observed(request, as: operation)
                await session.finish(grant, received: response.webAuthToken, isAccepted: response.status == 200)
            } catch {
                await session.finish(grant, received: nil, isAccepted: false)
                // A kept connection that the server closed just then: the next one is fresh.
                if error.code == .transport(.connectionLost), connectionsLeft > 0 {
                    connectionsLeft -= 1
                    continue
                }
                throw error
            }
            if response.status == 200 { return response }
            let failure = CloudKitError.answer(response, to: operation)
            if failure.refusesCredentials, triesLeft > 0, await session.mayRetry(afterRefusalOf: grant) {
                logger.debug(
                    "A web auth token was refused; trying a newer one", metadata: ["operation": "\(operation)"])
                continue
            }
            throw failure
        }
    }

    /// Sends without credentials, to the content host or the courier; gives any answer.
    func observed(
        _ request: TransportRequest, as operation: CloudKitOperation
    ) async throws(CloudKitError) -> TransportResponse {
        try checkTLS(of: request, operation)
        let start = now()
        do {
            let response = try await transport.send(request)
            report(operation, request, response.status, Int64(response.body.count), since: start)
            return response
        } catch {
            report(operation, request, nil, 0, since: start, error)
            throw .transport(error, of: operation)
        }
    }

    /// What is asked with TLS is not to come or go without it, whatever address the server names for it.
    func checkTLS(of request: TransportRequest, _ operation: CloudKitOperation) throws(CloudKitError) {
        let plain = "http://"
        guard address.baseURL.hasPrefix("https://"), request.url.lowercased().hasPrefix(plain) else { return }
        let host = String(request.url.dropFirst(plain.count).prefix { $0 != "/" && $0 != "?" })
        throw .transport(.plainAddress(host), of: operation)
    }

    /// Tells the log and the observer how a request ended; the URL stays out of both, for its tokens.
    func report(
        _ operation: CloudKitOperation, _ request: TransportRequest, _ status: Int?, _ responseBytes: Int64,
        since start: Duration, _ error: TransportError? = nil
    ) {
        let duration = now() - start
        logger.debug(
            "Request ended",
            metadata: [
                "operation": "\(operation)", "status": "\(status.map(String.init) ?? "none")",
                "sent_bytes": "\(request.bodyLength)", "received_bytes": "\(responseBytes)", "duration": "\(duration)",
                "error": "\(error?.message ?? "none")",
            ])
        onRequest?(
            RequestObservation(
                operation: operation, requestBytes: request.bodyLength, responseBytes: responseBytes, status: status,
                duration: duration))
    }
}

/// What proves who sends.
enum RequestCredentials: Sendable {
    case session(WebAuthSession)
    case serverKey(ServerKeySession)
}

extension TransportRequest {
    /// A POST of a message, or a GET where there is none.
    fileprivate init(_ operation: CloudKitOperation, url: String, headers: HTTPFields = [:], body: [UInt8]?) {
        guard let body else {
            self.init(lane: .api, method: .get, url: url, headers: headers)
            return
        }
        var headers = headers
        headers[.contentType] = "application/json"
        self.init(lane: .api, method: .post, url: url, headers: headers, body: .bytes(body))
    }
}

extension CloudKitError {
    /// Whether other credentials could help. A 421 without CloudKit's words is a matter of connections.
    fileprivate var refusesCredentials: Bool {
        switch (code, status) {
        case (.server(.authenticationRequired), _), (.server(.authenticationFailed), _): true
        case (.server, 401), (.server, 421), (.http, 401): true
        default: false
        }
    }
}

extension TransportResponse {
    /// The next web auth token, under the header's documented name, else under the older one (protocol §2.1).
    fileprivate var webAuthToken: WebAuthToken? {
        for name in ["X-Apple-CloudKit-Web-Auth-Token", "X-Apple-CloudKit-Session"] {
            if let value = HTTPField.Name(name).flatMap({ headers[$0] }), !value.isEmpty { return WebAuthToken(value) }
        }
        return nil
    }
}
