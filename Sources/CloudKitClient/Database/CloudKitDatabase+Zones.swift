public import CloudKitWire

extension CloudKitDatabase {
    /// Every zone, the default zone included (`zones/list`).
    public func listZones() async throws(CloudKitError) -> [ItemResult<Zone>] {
        try await sender.call(.zonesList, noMessage, as: ZonesResponse.self).zones
    }

    /// Some zones with their current tokens, in order (`zones/lookup`). A missing one is an item's `ZONE_NOT_FOUND`.
    public func lookUpZones(_ zoneIDs: [ZoneID]) async throws(CloudKitError) -> [ItemResult<Zone>] {
        try await sender.call(.zonesLookup, ZonesLookupRequest(zones: zoneIDs), as: ZonesResponse.self).zones
    }

    /// Creates and deletes zones, each by itself (`zones/modify`), at most 200. That a zone to be created exists is
    /// success, or an item error to which the reaction is ``ErrorReaction/done``.
    public func modifyZones(_ operations: [ZoneOperation]) async throws(CloudKitError) -> [ItemResult<Zone>] {
        try await sender.call(.zonesModify, ZonesModifyRequest(operations: operations), as: ZonesResponse.self).zones
    }

    /// The zones that changed or went since a token (`changes/database`).
    ///
    /// The answer's token may be stored only together with what it names. An answer whose token is empty is refused
    /// here: it would replace a good one (reliability.md §3).
    /// - Parameter token: `nil` names every zone. An empty one would mean "caught up" and is refused.
    public func databaseChanges(
        since token: String?, limit: Int? = nil
    ) async throws(CloudKitError) -> DatabaseChangesResponse {
        precondition(token?.isEmpty != true, "An empty sync token is never sent")
        let changes: DatabaseChangesResponse = try await sender.call(
            .databaseChanges, DatabaseChangesRequest(syncToken: token, resultsLimit: limit))
        guard !changes.syncToken.isEmpty else {
            throw .unexpectedAnswer(to: .databaseChanges, "its sync token is empty")
        }
        return changes
    }

    /// A page of changes for each zone (`changes/zone`), in the order of the queries.
    ///
    /// Page on while `moreComing`, also after empty pages. A page with an errored record must not be consumed. A page
    /// whose token is empty comes as an item error: it would replace a good one.
    public func zoneChanges(_ queries: [ZoneChangesQuery]) async throws(CloudKitError) -> [ItemResult<ZoneChanges>] {
        precondition(queries.allSatisfy { $0.syncToken?.isEmpty != true }, "An empty sync token is never sent")
        let response: ZoneChangesResponse = try await sender.call(.zoneChanges, ZoneChangesRequest(zones: queries))
        guard response.zones.count == queries.count else {
            throw .unexpectedAnswer(
                to: .zoneChanges, "\(response.zones.count) zones for \(queries.count) that were asked for")
        }
        return response.zones.map { result in
            guard case .success(let page) = result, page.syncToken.isEmpty else { return result }
            var error = ErrorDictionary(.unexpectedServerResponse, reason: "The page's sync token is empty")
            error.zoneID = page.zoneID
            return .failure(error)
        }
    }
}

extension ServerErrorCode {
    /// Made here, not by the server: an item's answer is missing or is not what the protocol says. The name is the
    /// one that CloudKit JS uses for that.
    public static let unexpectedServerResponse = Self(rawValue: "UNEXPECTED_SERVER_RESPONSE")
}
