import CloudKitClient
import CloudKitWire
import Synchronization

@testable import WireCoding

/// A network that watches whether each record is sent after those that it refers to, and deleted before them.
///
/// What a record needs has to be acknowledged before the request, or stand before it in the same one; what the server makes
/// of it does not matter.
final class ReferenceWitness: CloudKitTransport {
    private struct State {
        /// What each acknowledged record refers to, but for references without consequences.
        var records: [String: Set<String>] = [:]
        var tooEarly: [String] = []
        var requests = 0
    }

    private let network: any CloudKitTransport
    private let state = Mutex(State())

    init(_ network: any CloudKitTransport) {
        self.network = network
    }

    /// What was sent before its turn, as `Note/a before Note/b`.
    var tooEarly: [String] { state.withLock(\.tooEarly) }

    /// Requests that change records since the last call.
    func takeRequests() -> Int {
        state.withLock { state in
            defer { state.requests = 0 }
            return state.requests
        }
    }

    /// What a record refers to in the zone, as far as it went through here.
    func references(of name: String) -> Set<String>? {
        state.withLock { $0.records[name] }
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard FaultyNetwork.operation(of: request) == "records/modify", case .bytes(let body) = request.body,
            let asked = try? RecordsModifyRequest.decode(body)
        else { return try await network.send(request) }
        state.withLock { look(at: asked.operations, &$0) }
        let response = try await network.send(request)
        if let answer = try? RecordsResponse.decode(response.body) {
            state.withLock { take(answer.records, of: asked.operations, &$0) }
        }
        return response
    }

    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        try await network.download(request, into: sink)
    }

    private func look(at operations: [RecordOperation], _ state: inout State) {
        state.requests += 1
        var records = state.records
        for operation in operations {
            let name = operation.record.recordName!
            if operation.kind == .delete {
                records[name] = nil
                for (referrer, targets) in records where targets.contains(name) {
                    state.tooEarly.append("\(name) deleted before \(referrer)")
                }
            } else {
                let targets = Self.targets(of: operation.record)
                for target in targets where records[target] == nil {
                    state.tooEarly.append("\(name) before \(target)")
                }
                records[name] = targets.union(records[name] ?? [])
            }
        }
    }

    private func take(_ answers: [ItemResult<Record>], of operations: [RecordOperation], _ state: inout State) {
        for (answer, operation) in zip(answers, operations) {
            guard case .success(let record) = answer, let name = operation.record.recordName else { continue }
            state.records[name] = operation.kind == .delete ? nil : Self.targets(of: record)
        }
    }

    private static func targets(of record: Record) -> Set<String> {
        Set(
            record.fields.values.flatMap { field -> [Reference] in
                switch field.value {
                case .reference(let reference): [reference]
                case .referenceList(let list): list
                default: []
                }
            }.filter { $0.action != .none }.map(\.recordName))
    }
}
