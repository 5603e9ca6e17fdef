import CloudKitClient
import HTTPTypes
import Synchronization

/// A network between one device and the server that fails where a test wants it to.
final class FaultyNetwork: CloudKitTransport {
    /// What happens to one request.
    enum Fate: Sendable {
        case delivered
        /// It never arrives.
        case lostOnTheWay
        /// It never arrives, and nobody can tell.
        case lostSomewhere
        /// It arrives and is carried out; its answer never comes back.
        case answerLost
        /// It never arrives; this comes back.
        case answered(TransportResponse)
        /// It never arrives; this comes back, once that was done.
        case answeredAfter(@Sendable () async throws -> Void, TransportResponse)
    }

    private struct State {
        var fate: @Sendable (TransportRequest) -> Fate = { _ in .delivered }
        var operations: [String] = []
        var bodies: [(operation: String, text: String)] = []
    }

    private let network: any CloudKitTransport
    private let state = Mutex(State())

    init(_ network: any CloudKitTransport) {
        self.network = network
    }

    /// The operations asked for since the last call, such as `records/modify`; assets' bytes as `upload` and `download`.
    func takeOperations() -> [String] {
        state.withLock { state in
            defer { state.operations = [] }
            return state.operations
        }
    }

    /// The bodies sent to an operation since the last call.
    func takeBodies(of operation: String) -> [String] {
        state.withLock { state in
            defer { state.bodies = [] }
            return state.bodies.filter { $0.operation == operation }.map(\.text)
        }
    }

    /// Decides every request's fate from now on.
    func decide(_ fate: @escaping @Sendable (TransportRequest) -> Fate) {
        state.withLock { $0.fate = fate }
    }

    /// Lets the next requests to an operation meet a fate, then all be delivered.
    func next(_ count: Int = 1, to operation: String, _ fate: Fate) {
        let left = Mutex(count)
        decide { request in
            guard Self.operation(of: request) == operation else { return .delivered }
            return left.withLock { left in
                guard left > 0 else { return .delivered }
                left -= 1
                return fate
            }
        }
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        switch note(request) {
        case .delivered: return try await network.send(request)
        case .lostOnTheWay: throw .unreachable("a test cut the line")
        case .lostSomewhere: throw .connectionLost(requestMayHaveArrived: true)
        case .answerLost:
            _ = try await network.send(request)
            throw .connectionLost(requestMayHaveArrived: true)
        case .answered(let response): return response
        case .answeredAfter(let act, let response):
            do { try await act() } catch { throw .unreachable("\(error)") }
            return response
        }
    }

    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        switch note(request) {
        case .delivered: return try await network.download(request, into: sink)
        case .lostOnTheWay, .lostSomewhere, .answerLost: throw .connectionLost(requestMayHaveArrived: true)
        case .answered(let response), .answeredAfter(_, let response): return response
        }
    }

    private func note(_ request: TransportRequest) -> Fate {
        let operation = Self.operation(of: request)
        return state.withLock { state in
            state.operations.append(operation)
            if case .bytes(let bytes) = request.body {
                state.bodies.append((operation, String(decoding: bytes, as: UTF8.self)))
            }
            return state.fate(request)
        }
    }

    /// The last two parts of an API request's path.
    static func operation(of request: TransportRequest) -> String {
        switch request.lane {
        case .courier: return "courier"
        case .content, .freshContent: return request.method == .get ? "download" : "upload"
        case .api:
            let path = request.url.prefix { $0 != "?" }
            return path.split(separator: "/").suffix(2).joined(separator: "/")
        }
    }
}
