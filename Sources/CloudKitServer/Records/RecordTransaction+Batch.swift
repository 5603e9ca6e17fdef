import CloudKitWire
import GRDB

/// All operations of a request: in order, except that what others need comes before them.
extension RecordTransaction {
    /// Carries out operations, each by itself; or, in an atomic request, ends at the first that is refused.
    ///
    /// - Parameter refused: Those that are not tried, and why: promises were made for them in vain.
    /// - Throws: ``AtomicFailure``, or ``BrokenPromises``; then everything must be rolled back.
    mutating func apply(
        _ operations: [RecordOperation], refusing refused: [Int: ErrorDictionary], trusting trusts: Bool
    ) throws -> [ItemResult<Record>] {
        pending = PendingOperations(operations, except: Set(refused.keys), trusts: trusts)
        var batch = Batch(operations: operations)
        for (index, error) in refused { batch.results[index] = .failure(error) }
        for index in operations.indices where batch.results[index] == nil { try carryOut(index, of: &batch) }
        try keep(batch.promises)
        return operations.indices.map { batch.results[$0]! }
    }

    private struct Batch {
        let operations: [RecordOperation]
        var results: [Int: ItemResult<Record>] = [:]
        var promises: [(operation: Int, promise: PendingOperations.Promise)] = []
    }

    private mutating func carryOut(_ index: Int, of batch: inout Batch) throws {
        let operation = batch.operations[index]
        pending.begin(operation)
        defer { pending.end(operation) }
        while batch.results[index] == nil {
            promises = []
            do {
                batch.results[index] = .success(try apply(operation))
                batch.promises += promises.map { (index, $0) }
            } catch let wait as PendingOperations.Wait {
                for other in wait.operations.sorted() where batch.results[other] == nil {
                    try carryOut(other, of: &batch)
                }
            } catch let error as ErrorDictionary {
                // An operation is refused before it writes anything, so there is nothing to take back.
                let error = error.about(record: operation.record.recordName)
                guard !isAtomic else { throw AtomicFailure(index: index, error: error) }
                batch.results[index] = .failure(error)
            }
        }
    }

    /// - Throws: Where promises are broken.
    private mutating func keep(_ promises: [(operation: Int, promise: PendingOperations.Promise)]) throws {
        var broken: [Int: ErrorDictionary] = [:]
        for (operation, promise) in promises where broken[operation] == nil {
            do {
                try check(promise)
            } catch let error as ErrorDictionary {
                broken[operation] = error
            }
        }
        guard !broken.isEmpty else { return }
        throw BrokenPromises(errors: broken)
    }

    private mutating func check(_ promise: PendingOperations.Promise) throws {
        switch promise {
        case .target(let link, let isNew): try check(link, isNew: isNew)
        case .parent(let parent, let name):
            try check(parent: parent, of: name)
            try requireShared(parent: parent)
        case .unreferenced(let name, let zone):
            if let obstacle = try referrers(to: name, in: zone).first(where: \.holds) { throw violation(by: obstacle) }
        }
    }
}

/// Rolls an atomic request back.
struct AtomicFailure: Error {
    var index: Int
    var error: ErrorDictionary
}

/// Rolls a request back, to be tried again without these operations.
struct BrokenPromises: Error {
    /// By the operations' places in the request.
    var errors: [Int: ErrorDictionary]
}
