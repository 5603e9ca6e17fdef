import CloudKitClient
import HTTPTypes
import Synchronization

/// Notices whether a server of this project says that a web auth token was given to two: one that was issued after it is in
/// use. Apple's service says nothing of that.
final class TokenUseWatch: CloudKitTransport {
    private let transport: any CloudKitTransport
    private let wasSucceeded = Mutex(false)

    init(_ transport: any CloudKitTransport) {
        self.transport = transport
    }

    /// Whether an answer said so.
    var sawSucceededToken: Bool { wasSucceeded.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let response = try await transport.send(request)
        if response.headers[Self.header] != nil { wasSucceeded.withLock { $0 = true } }
        return response
    }

    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        try await transport.download(request, into: sink)
    }

    private static let header = HTTPField.Name("X-Zonefolder-Web-Auth-Token-Succeeded")!
}
