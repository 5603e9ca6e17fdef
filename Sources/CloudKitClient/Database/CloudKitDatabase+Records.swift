public import CloudKitWire

extension CloudKitDatabase {
    /// Saves or deletes records of one zone, up to 200 in one request (`records/modify`); see ``ModifyBatcher``.
    ///
    /// The server treats each operation by itself: some can fail while others succeed, so look at every result. They
    /// come in the order of the operations, whatever the answer's order; one that the answer lacks is an item error.
    /// - Throws: ``CloudKitError`` when no results came back; with ``CloudKitError/mayHaveBeenDone``, look up first.
    public func modifyRecords(
        _ operations: [RecordOperation], in zoneID: ZoneID
    ) async throws(CloudKitError) -> [ItemResult<Record>] {
        // Left to itself, a custom zone takes all or nothing: one refused record would hold up the others.
        let request = RecordsModifyRequest(operations: operations, zoneID: zoneID, atomic: false)
        let response: RecordsResponse = try await sender.call(.recordsModify, request)
        return ResultOrder.restore(response.records, to: operations.map(\.record.recordName))
    }

    /// Records by name, in order (`records/lookup`); consistent at once after a write. A missing one is an item's
    /// `NOT_FOUND`. One request for each 200 names.
    public func lookUpRecords(
        _ names: [String], in zoneID: ZoneID, desiredKeys: [String]? = nil
    ) async throws(CloudKitError) -> [ItemResult<Record>] {
        var results: [ItemResult<Record>] = []
        for start in stride(from: 0, to: names.count, by: Self.maximumItems) {
            let some = Array(names[start..<min(start + Self.maximumItems, names.count)])
            let request = RecordsLookupRequest(recordNames: some, zoneID: zoneID, desiredKeys: desiredKeys)
            let response: RecordsResponse = try await sender.call(.recordsLookup, request)
            results += ResultOrder.restore(response.records, to: some)
        }
        return results
    }

    /// Items in one request (protocol §6).
    static let maximumItems = 200
}
