package import CloudKitClient
package import CloudKitWire
package import LocalFolder
import RecordMapping
import RequestPacing
import SyncModel

/// Carries operations to the zone: first the assets, then the records that name them.
///
/// Knows nothing of trees and plans; every sending gets exactly one result, in order, whatever fails.
package struct Sender: Sendable {
    let database: CloudKitDatabase
    let zoneID: ZoneID
    let batcher: ModifyBatcher
    /// Set once the server asked everybody to wait: what is not under way then stays here.
    let halt = Halt()
    private let assets: AssetSender

    /// - Parameter onBytes: Called with the bytes of each finished upload.
    package init(
        database: CloudKitDatabase, zoneID: ZoneID, reader: FolderReader, batcher: ModifyBatcher,
        onBytes: @escaping @Sendable (Int64) -> Void
    ) {
        self.database = database
        self.zoneID = zoneID
        self.batcher = batcher
        assets = AssetSender(database: database, zoneID: zoneID, reader: reader, halt: halt, onBytes: onBytes)
    }

    /// Sends some operations in their order, one request after the other: what refers to another record comes after it.
    package func send(_ sendings: [Sending]) async -> [SendResult] {
        var results = [SendResult?](repeating: nil, count: sendings.count)
        let assets = await assets.send(of: sendings, results: &results)
        let open = sendings.indices.filter { results[$0] == nil }
        // What other records go with goes in requests of its own, after what it needs and before what needs it.
        var rest = open[...]
        while let first = rest.first {
            let isAlone = sendings[first].companions.isEmpty
            let run = rest.prefix { sendings[$0].companions.isEmpty == isAlone }
            rest = rest.dropFirst(run.count)
            let (some, assets) = (run.map { sendings[$0] }, run.map { assets[$0] })
            let answers = isAlone ? await save(some, assets) : await replace(some, assets)
            for (index, answer) in zip(run, answers) { results[index] = answer }
        }
        return results.map { $0 ?? .superseded }
    }

    private func save(_ sendings: [Sending], _ assets: [[AssetSlot: Asset]?]) async -> [SendResult] {
        let operations = zip(sendings, assets).map { sending, assets in sending.operation(assets ?? [:]) }
        var results: [SendResult] = []
        for batch in batcher.batches(of: operations) {
            results += await modify(Array(operations[batch]), attempts: batch.map { sendings[$0].attempts })
        }
        return results
    }

    private func modify(_ operations: [RecordOperation], attempts: [Int]) async -> [SendResult] {
        if let result = halt.result { return operations.map { _ in result } }
        do {
            let answers = try await database.modifyRecords(operations, in: zoneID)
            return operations.indices.map { index in
                let operation = operations[index]
                switch answers[index] {
                case .success(let record):
                    return record.deleted == true ? .deleted : .saved(record)
                case .failure(let error):
                    let reaction = error.reaction(
                        of: .recordsModify, recordKind: operation.kind, attempts: attempts[index])
                    if reaction == .done, operation.kind == .delete || operation.kind == .forceDelete {
                        return .deleted
                    }
                    let code = error.serverErrorCode.rawValue
                    return .refused(reaction, code: code, reason: error.reason ?? code, .answer)
                }
            }
        } catch {
            let reaction = error.reaction(batchCount: operations.count)
            if reaction == .split, operations.count > 1 {
                let half = operations.count / 2
                return await modify(Array(operations[..<half]), attempts: Array(attempts[..<half]))
                    + modify(Array(operations[half...]), attempts: Array(attempts[half...]))
            }
            halt.note(reaction, error)
            if reaction == .lookUpAndMerge, case .transport = error.code {
                return operations.map { _ in .unanswered(code: error.word, reason: error.message) }
            }
            let refusal: SendResult.Refusal = error.mayHaveBeenDone ? .unknown : .unsent
            return operations.map { _ in
                .refused(reaction, code: error.word, reason: error.message, refusal, error.obstacle)
            }
        }
    }
}
