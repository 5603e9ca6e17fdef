import CloudKitWire
import WireCoding

/// Single records that `records/modify` refuses: the store hears nothing of them.
extension AnswerFaults {
    /// The operations that the store is to do; `nil`: all.
    func modifications(in request: RawObject) -> [RawValue]? {
        let operations = request.list("operations")
        let refused = refusals(in: request, operations)
        guard refused.contains(where: { $0 != nil }) else { return nil }
        guard !isAtomic(request) else { return [] }
        return zip(operations, refused).filter { $0.1 == nil }.map(\.0.value)
    }

    /// Puts the refusals where the client expects them.
    func mergeRefusals(into answer: inout RawObject, of request: RawObject) {
        let operations = request.list("operations")
        let refused = refusals(in: request, operations)
        guard refused.contains(where: { $0 != nil }) else { return }
        var done = answer.list("records").map(\.value)[...]
        let isAtomic = isAtomic(request)
        var isFirst = true
        answer["records"] = .array(
            zip(operations, refused).compactMap { operation, error -> RawValue? in
                let name = Self.recordName(of: operation)
                if isAtomic {
                    // The first to fail ends an atomic request; the others fail with it.
                    let own = isFirst ? error : nil
                    if error != nil { isFirst = false }
                    return RawValue((own ?? .atomicFailure).about(record: name).encoded())
                }
                if let error { return RawValue(error.about(record: name).encoded()) }
                return done.popFirst()
            })
    }

    private func refusals(in request: RawObject, _ operations: [RawObject]) -> [ErrorDictionary?] {
        operations.map { operation in
            for part in parts where part.concerns(request.zoneName) {
                guard case .recordError(let error, let name) = part.fault else { continue }
                if name == nil || name == Self.recordName(of: operation) { return error }
            }
            return nil
        }
    }

    private func isAtomic(_ request: RawObject) -> Bool {
        request["atomic"]?.bool != false && (request.zoneName ?? ZoneID.defaultZoneName) != ZoneID.defaultZoneName
    }

    private static func recordName(of operation: RawObject) -> String? {
        operation["record"].flatMap { RawObject($0.bytes) }?["recordName"]?.string
    }
}
