public import CloudKitWire
import GRDB

extension RecordStore {
    /// Saves and deletes records of one zone, up to 200 (`records/modify`), in one transaction.
    ///
    /// In a custom zone all or nothing, unless `atomic` is `false`: then each operation is tried by itself. Whether what
    /// records refer to is there counts at the end of the request. An operation whose record the answer has no room for is
    /// not carried out: it is an error with `TRY_AGAIN_LATER` and no time to wait. Where the disk is full, and each operation
    /// is tried by itself, saves are errors with `QUOTA_EXCEEDED`, and deletions are carried out.
    public func modify(_ request: RecordsModifyRequest, as caller: Caller) throws -> RecordsResponse {
        try ModifyRequestCheck.check(request)
        var refused: [Int: ErrorDictionary] = [:]
        let deletes = request.operations.contains { $0.kind.deletes }
        for attempt in 1... {
            do {
                return try findingRoom(deletes: deletes) {
                    try modify(request, refusing: refused, trusting: attempt < Self.attempts, as: caller)
                }
            } catch let broken as BrokenPromises {
                refused.merge(
                    broken.errors.map { ($0, $1.about(record: request.operations[$0].record.recordName)) }
                ) { $1 }
            } catch let error as DatabaseError where error.isOfFullDisk && !Self.isAtomic(request) {
                guard let noRoom = FullDisk.refusals(of: request.operations, refused: Set(refused.keys)) else {
                    throw error
                }
                refused.merge(noRoom) { $1 }
            }
        }
        preconditionFailure("Every attempt refuses an operation more, or is the last")
    }

    private static func isAtomic(_ request: RecordsModifyRequest) -> Bool {
        request.atomic != false && request.zoneID?.zoneName ?? ZoneID.defaultZoneName != ZoneID.defaultZoneName
    }

    /// Records that refer to each other in circles can be refused one after the other; after so many times, circles count as
    /// they stand, and nothing is tried again.
    private static let attempts = 8

    private func modify(
        _ request: RecordsModifyRequest, refusing refused: [Int: ErrorDictionary], trusting trusts: Bool,
        as caller: Caller
    ) throws -> RecordsResponse {
        var tokenBefore: String?
        do {
            return try write { db, pushes in
                var transaction = try RecordTransaction(self, request, caller, db)
                tokenBefore = currentToken(of: transaction.zone, for: caller)
                do {
                    var response = RecordsResponse(
                        records: try transaction.apply(request.operations, refusing: refused, trusting: trusts))
                    pushes += try transaction.finish()
                    response.syncToken = currentToken(of: transaction.zoneNow, for: caller)
                    return response
                } catch let broken as BrokenPromises where transaction.isAtomic {
                    let (index, error) = broken.errors.min { $0.key < $1.key }!
                    throw AtomicFailure(
                        index: index, error: error.about(record: request.operations[index].record.recordName))
                }
            }
        } catch let failure as AtomicFailure {
            var response = RecordsResponse(
                records: request.operations.enumerated().map { index, operation in
                    .failure(
                        index == failure.index
                            ? failure.error : .atomicFailure.about(record: operation.record.recordName))
                })
            response.syncToken = tokenBefore
            return response
        }
    }
}
