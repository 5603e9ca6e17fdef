public import CloudKitWire

extension CloudKitDatabase {
    /// Saves or deletes records of one zone, up to 200 in one request (`records/modify`); see ``ModifyBatcher``.
    ///
    /// The server treats each operation by itself: some can fail while others succeed, so look at every result. They
    /// come in the order of the operations, whatever the answer's order; one that the answer lacks is an item error.
    /// - Parameter atomically: Whether all are done or none; those that fail with another one then have `ATOMIC_ERROR`.
    /// - Throws: ``CloudKitError`` when no results came back; with ``CloudKitError/mayHaveBeenDone``, look up first.
    public func modifyRecords(
        _ operations: [RecordOperation], in zoneID: ZoneID, atomically: Bool = false
    ) async throws(CloudKitError) -> [ItemResult<Record>] {
        // Left to itself, a custom zone takes all or nothing: one refused record would hold up the others.
        let request = RecordsModifyRequest(operations: operations, zoneID: zoneID, atomic: atomically)
        let response: RecordsResponse = try await sender.call(.recordsModify, request)
        return ResultOrder.restore(response.records, to: operations.map(\.record.recordName))
    }

    /// Records by name, in order (`records/lookup`); consistent at once after a write. A missing one is an item's
    /// `NOT_FOUND`. One request for each 200 names, and further ones for those that an answer had no room for.
    public func lookUpRecords(
        _ names: [String], in zoneID: ZoneID, desiredKeys: [String]? = nil
    ) async throws(CloudKitError) -> [ItemResult<Record>] {
        var results: [Int: ItemResult<Record>] = [:]
        var open = Array(names.indices)
        while !open.isEmpty {
            let asked = Array(open.prefix(Self.maximumItems))
            let some = asked.map { names[$0] }
            let request = RecordsLookupRequest(recordNames: some, zoneID: zoneID, desiredKeys: desiredKeys)
            let response: RecordsResponse = try await sender.call(.recordsLookup, request)
            let answers = Array(zip(asked, ResultOrder.restore(response.records, to: some)))
            // Every further request brings at least one more, so there is an end.
            let left = answers.filter { $0.1.hadNoRoom }.map(\.0)
            let isProgress = left.count < asked.count
            open = (isProgress ? left : []) + open.dropFirst(asked.count)
            for (index, answer) in answers where !isProgress || !answer.hadNoRoom { results[index] = answer }
        }
        return names.indices.map { results[$0]! }
    }

    /// Items in one request (protocol §6).
    static let maximumItems = 200
}

extension ItemResult {
    /// Whether the server asks for this again at once, without a time to wait.
    fileprivate var hadNoRoom: Bool {
        guard case .failure(let error) = self else { return false }
        return error.serverErrorCode == .tryAgainLater && error.retryAfter == 0
    }
}
