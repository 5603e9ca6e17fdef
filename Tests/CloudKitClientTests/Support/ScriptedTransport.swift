import CloudKitClient
import HTTPTypes
import Synchronization

/// A server in memory: a closure answers each request, and every request is kept for the test to look at.
final class ScriptedTransport: CloudKitTransport {
    typealias Script = @Sendable (_ request: TransportRequest, _ number: Int) async throws -> TransportResponse

    private let script: Script
    private let log = Mutex<[TransportRequest]>([])

    init(_ script: @escaping Script) {
        self.script = script
    }

    /// Answers with these, one after the other, and repeats the last one.
    convenience init(_ answers: TransportResponse...) {
        self.init { _, number in answers[min(number, answers.count - 1)] }
    }

    var requests: [TransportRequest] { log.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let number = log.withLock { log in
            log.append(request)
            return log.count - 1
        }
        do {
            return try await script(request, number)
        } catch let error as TransportError {
            throw error
        } catch {
            throw .cancelled()
        }
    }

    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        var response = try await send(request)
        guard response.status == 200 else { return response }
        for start in stride(from: 0, to: response.body.count, by: 3) {
            do {
                try await sink(Array(response.body[start..<min(start + 3, response.body.count)]))
            } catch {
                throw .sinkFailed(error)
            }
        }
        response.body = []
        return response
    }
}

extension TransportResponse {
    /// An answer with JSON, or any other text, and perhaps the next web auth token.
    static func json(_ text: String, status: Int = 200, next token: String? = nil) -> Self {
        var headers: HTTPFields = [.contentType: "application/json; charset=UTF-8"]
        if let token { headers[HTTPField.Name("X-Apple-CloudKit-Web-Auth-Token")!] = token }
        return Self(status: status, headers: headers, body: Array(text.utf8))
    }

    /// What the service says to a void web auth token (protocol §2.1).
    static func signInNeeded(status: Int = 421) -> Self {
        .json(
            #"""
            { "uuid": "6f0b", "serverErrorCode": "AUTHENTICATION_REQUIRED", "reason": "request needs authorization",
              "redirectURL": "https://idmsa.example/auth?oauth_token=secret" }
            """#, status: status)
    }
}

extension TransportRequest {
    /// The body as text.
    var text: String {
        guard case .bytes(let bytes) = body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The percent-encoded value of `ckWebAuthToken`.
    var webAuthToken: String? {
        url.split(separator: "ckWebAuthToken=").dropFirst().first.map { String($0.prefix { $0 != "&" }) }
    }
}
