import CloudKitClient
import Synchronization

/// The network of a process that can be killed at a request: that one may still reach the server, its answer never
/// comes, and nothing goes out any more.
final class CrashingTransport: CloudKitTransport {
    private enum Life {
        case alive
        case dying(operation: String)
        case dead
    }

    private let life = Mutex(Life.alive)
    private let network: HTTPTransport

    init(_ network: HTTPTransport) {
        self.network = network
    }

    /// Kills at the next request of an operation, such as `records/modify`, once the server has done what it asks.
    func kill(at operation: String) { life.withLock { $0 = .dying(operation: operation) } }

    func revive() { life.withLock { $0 = .alive } }

    var isDead: Bool {
        life.withLock { if case .dead = $0 { true } else { false } }
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let isLast = try last(request)
        let response = try await network.send(request)
        if isLast {
            life.withLock { $0 = .dead }
            throw .connectionLost(requestMayHaveArrived: true)
        }
        return response
    }

    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        _ = try last(request)
        return try await network.download(request, into: sink)
    }

    private func last(_ request: TransportRequest) throws(TransportError) -> Bool {
        try life.withLock { life throws(TransportError) in
            switch life {
            case .alive: false
            case .dying(let operation): request.url.contains(operation)
            case .dead: throw .unreachable("killed")
            }
        }
    }
}
