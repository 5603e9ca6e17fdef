import CloudKitClient
import CloudKitWire
import RecordMapping
import RequestPacing
import SyncModel

/// Records that take the place of others: each comes in the request in which the others go.
extension Sender {
    /// Operations of one request.
    private static let operations = 200

    func replace(_ sendings: [Sending], _ assets: [[AssetSlot: Asset]?]) async -> [SendResult] {
        let saves = zip(sendings, assets).map { sending, assets in sending.operation(assets ?? [:]) }
        var results: [SendResult] = []
        for batch in batcher.batches(of: saves) {
            var rest = batch
            while !rest.isEmpty {
                var operations = 0
                let some = rest.prefix { index in
                    operations += 1 + sendings[index].companions.count
                    return operations <= Self.operations || index == rest.lowerBound
                }
                rest = rest.dropFirst(some.count)
                results += await replace(some.map { sendings[$0] }, with: some.map { saves[$0] })
            }
        }
        return results
    }

    private func replace(_ sendings: [Sending], with saves: [RecordOperation]) async -> [SendResult] {
        if let result = halt.result { return sendings.map { _ in result } }
        let operations = zip(sendings, saves).flatMap { sending, save in
            [save] + sending.companions.map { RecordOperation(.delete, $0) }
        }
        let answers: [ItemResult<Record>]
        do {
            answers = try await database.modifyRecords(operations, in: zoneID, atomically: true)
        } catch {
            return await failed(sendings, saves, error)
        }
        let culprits = zip(operations, answers).compactMap { operation, answer -> (RecordOperation, ErrorDictionary)? in
            if case .failure(let error) = answer, error.serverErrorCode != .atomicError {
                (operation, error)
            } else {
                nil
            }
        }
        if culprits.isEmpty, answers.allSatisfy(\.isSuccess) {
            let saved = Dictionary(
                answers.compactMap { answer -> (String, Record)? in
                    guard case .success(let record) = answer, let name = record.recordName else { return nil }
                    return (name, record)
                }
            ) { first, _ in first }
            return sendings.map { sending in
                saved[sending.name.rawValue].map { .saved($0, gone: sending.companionNames) }
                    ?? .superseded
            }
        }
        // One that is refused holds up the others: each is tried with fewer.
        guard sendings.count == 1 else { return await halves(sendings, saves) }
        let staying = Set(culprits.lazy.filter { $0.0.kind == .delete }.compactMap(\.0.record.recordName))
        if let rest = sendings[0].without(staying) { return await replace([rest], with: saves) }
        guard let (operation, error) = culprits.first else {
            let code = ServerErrorCode.atomicError.rawValue
            return [.refused(.retry(after: nil, pausing: .item), code: code, reason: code)]
        }
        let isDeletion = operation.kind == .delete
        let reaction = error.reaction(
            of: .recordsModify, recordKind: operation.kind, attempts: sendings[0].attempts)
        let code = error.serverErrorCode.rawValue
        // Where the other one is gone already, the new one comes alone once that is known.
        return [
            .refused(
                isDeletion && reaction == .done ? .lookUpAndMerge : reaction, code: code, reason: error.reason ?? code,
                .answer)
        ]
    }

    private func failed(
        _ sendings: [Sending], _ saves: [RecordOperation], _ error: CloudKitError
    ) async -> [SendResult] {
        let reaction = error.reaction(batchCount: sendings.count)
        if reaction == .split, sendings.count > 1 { return await halves(sendings, saves) }
        halt.note(reaction, error)
        if reaction == .lookUpAndMerge, case .transport = error.code {
            return sendings.map { _ in .unanswered(code: error.word, reason: error.message) }
        }
        let refusal: SendResult.Refusal = error.mayHaveBeenDone ? .unknown : .unsent
        return sendings.map { _ in .refused(reaction, code: error.word, reason: error.message, refusal, error.obstacle)
        }
    }

    private func halves(_ sendings: [Sending], _ saves: [RecordOperation]) async -> [SendResult] {
        let half = sendings.count / 2
        return await replace(Array(sendings[..<half]), with: Array(saves[..<half]))
            + replace(Array(sendings[half...]), with: Array(saves[half...]))
    }
}

extension ItemResult {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}

extension Sending {
    /// The same with some records staying that need not go with it; `nil` where none of them is such.
    fileprivate func without(_ names: Set<String>) -> Sending? {
        var rest = self
        rest.givingWay.removeAll { record in record.recordName.map(names.contains) ?? false }
        return rest.givingWay.count < givingWay.count ? rest : nil
    }
}
