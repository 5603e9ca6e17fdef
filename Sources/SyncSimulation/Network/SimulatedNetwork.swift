import CloudKitClient
import CloudKitServer
import CloudKitWire
import HTTPTypes
import SyncTiming
import Synchronization

/// The way from one device to the server: late, broken, cut off, or good.
final class SimulatedNetwork: CloudKitTransport {
    /// What a request meets.
    enum Fate: Sendable {
        case pass
        case unreachable
        /// It never arrives, and nobody knows.
        case lost
        case answerLost
        case twice
        case instead(status: Int, headers: [String: String], body: String)
        case altered([Fault])
    }

    static let baseURL = "http://simulated"

    private let server: LocalWebServices
    private let time: SimulatedTime
    private let random: Mutex<SeededRandom>
    /// Decides over a request, told its operation.
    private let fate: @Sendable (String) -> Fate
    /// Is told of each answer: the operation, the request's body, the status, and the answer's body.
    private let onAnswer: @Sendable (String, [UInt8], Int, [UInt8]) -> Void

    init(
        to server: LocalWebServices, time: SimulatedTime, random: SeededRandom,
        fate: @escaping @Sendable (String) -> Fate,
        onAnswer: @escaping @Sendable (String, [UInt8], Int, [UInt8]) -> Void
    ) {
        self.server = server
        self.time = time
        self.random = Mutex(random)
        self.fate = fate
        self.onAnswer = onAnswer
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let target = String(request.url.dropFirst(Self.baseURL.count))
        let operation = LocalWebServices.operation(of: target) ?? "unknown"
        let body = try await body(of: request)
        try await travel()
        switch fate(operation) {
        case .unreachable: throw .unreachable("there is no network")
        case .lost: throw .connectionLost(requestMayHaveArrived: true)
        case .instead(let status, let headers, let body):
            var fields = HTTPFields()
            for (name, value) in headers.sorted(by: { $0.key < $1.key }) { fields[HTTPField.Name(name)!] = value }
            return TransportResponse(status: status, headers: fields, body: Array(body.utf8))
        case .answerLost:
            _ = try answer(target, operation, body, [])
            throw .connectionLost(requestMayHaveArrived: true)
        case .twice:
            _ = try answer(target, operation, body, [])
            return try await arrive(answer(target, operation, body, []))
        case .altered(let faults): return try await arrive(answer(target, operation, body, faults))
        case .pass: return try await arrive(answer(target, operation, body, []))
        }
    }

    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        var response = try await send(request)
        guard response.status == 200 else { return response }
        do {
            let half = response.body.count / 2
            for piece in [response.body.prefix(half), response.body.dropFirst(half)] where !piece.isEmpty {
                try await sink(Array(piece))
            }
        } catch {
            throw .sinkFailed(error)
        }
        response.body = []
        return response
    }

    private func answer(
        _ target: String, _ operation: String, _ body: [UInt8], _ faults: [Fault]
    ) throws(TransportError) -> TransportResponse {
        do {
            let answer = try server.answer(target, body, under: faults)
            onAnswer(operation, body, answer.status, answer.body)
            return TransportResponse(status: answer.status, headers: answer.headers, body: answer.body)
        } catch {
            throw .connectionLost(requestMayHaveArrived: true, cause: error)
        }
    }

    private func body(of request: TransportRequest) async throws(TransportError) -> [UInt8] {
        switch request.body {
        case .none: return []
        case .bytes(let bytes): return bytes
        case .stream(let source):
            var bytes: [UInt8] = []
            do {
                while bytes.count < source.length {
                    let piece = try await source.read(Int64(bytes.count), 65_536)
                    if piece.isEmpty { break }
                    bytes += piece
                }
            } catch {
                throw .sourceFailed(error)
            }
            return bytes
        }
    }

    private func arrive(_ response: TransportResponse) async throws(TransportError) -> TransportResponse {
        try await travel()
        return response
    }

    private func travel() async throws(TransportError) {
        let milliseconds = random.withLock { random in random.once(in: 20) ? random.below(3000) : 1 + random.below(60) }
        do {
            try await time.clock.sleep(.milliseconds(milliseconds))
        } catch {
            throw .cancelled()
        }
    }
}
