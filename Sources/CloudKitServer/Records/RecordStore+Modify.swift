public import CloudKitWire
import GRDB

extension RecordStore {
    /// Saves and deletes records of one zone, up to 200 (`records/modify`), in one transaction.
    ///
    /// In a custom zone all or nothing, unless `atomic` is `false`: then each operation is tried by itself. One whose record
    /// the answer has no room for is not carried out: it is an error with `TRY_AGAIN_LATER` and no time to wait.
    public func modify(_ request: RecordsModifyRequest, as caller: Caller) throws -> RecordsResponse {
        try ModifyRequestCheck.check(request)
        do {
            return try write { db, pushes in
                var transaction = try RecordTransaction(self, request, caller, db)
                var results: [ItemResult<Record>] = []
                for (index, operation) in request.operations.enumerated() {
                    do {
                        results.append(.success(try transaction.apply(operation)))
                    } catch let error as ErrorDictionary {
                        // An operation is refused before it writes anything, so there is nothing to take back.
                        let error = error.about(record: operation.record.recordName)
                        guard !transaction.isAtomic else { throw AtomicFailure(index: index, error: error) }
                        results.append(.failure(error))
                    }
                }
                pushes += try transaction.finish()
                return RecordsResponse(records: results)
            }
        } catch let failure as AtomicFailure {
            return RecordsResponse(
                records: request.operations.enumerated().map { index, operation in
                    .failure(
                        index == failure.index
                            ? failure.error : .atomicFailure.about(record: operation.record.recordName))
                })
        }
    }
}

/// Rolls the transaction back.
private struct AtomicFailure: Error {
    var index: Int
    var error: ErrorDictionary
}
