public import CloudKitWire
import GRDB

extension RecordStore {
    /// Zones that changed or were deleted since a token, longest unchanged first (`changes/database`).
    ///
    /// Without a token, deleted zones are left out: there is nobody to tell.
    public func databaseChanges(
        _ request: DatabaseChangesRequest, as caller: Caller
    ) throws -> DatabaseChangesResponse {
        try writer.read { db in
            let database = try DatabaseRow.find(caller, db)
            let position = try SyncToken.position(
                of: request.syncToken, .database, feed: database.id, lastChange: database.lastChange, key)
            let limit = try pageLimit(request.resultsLimit)
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, name, last_change, deleted FROM zones
                    WHERE database_id = ? AND last_change > ? AND name <> ? AND (deleted = 0 OR ?)
                    ORDER BY last_change LIMIT ?
                    """,
                arguments: [
                    database.id, position, ZoneID.defaultZoneName, request.syncToken != nil, limit + 1,
                ])
            let page = rows.prefix(limit)
            let isLast = rows.count <= limit
            let reached: Int64 = isLast ? database.lastChange : page.last.map { $0[2] } ?? position
            return DatabaseChangesResponse(
                zones: page.map { row in
                    let zone = ZoneRow(id: row[0], name: row[1], lastChange: row[2])
                    let isDeleted: Bool = row[3]
                    return ChangedZone(
                        zoneID: zone.zoneID(of: caller), syncToken: isDeleted ? nil : token(of: zone),
                        deleted: isDeleted ? true : nil)
                },
                syncToken: SyncToken(kind: .database, feed: database.id, position: reached).text(key),
                moreComing: !isLast)
        }
    }

    /// Zones that changed or were deleted since a token (`zones/changes`, which ``databaseChanges(_:as:)`` replaced).
    public func zonesChanges(_ request: ZonesChangesRequest, as caller: Caller) throws -> ZonesChangesResponse {
        ZonesChangesResponse(
            try databaseChanges(
                DatabaseChangesRequest(syncToken: request.metaSyncToken, resultsLimit: request.resultsLimit),
                as: caller))
    }

    /// At most 200, whatever is asked for (protocol §10.5).
    func pageLimit(_ asked: Int?) throws(ErrorDictionary) -> Int {
        guard let asked else { return StoreLimits.itemsPerRequest }
        guard asked > 0 else { throw .badRequest("resultsLimit must be at least 1") }
        return min(asked, StoreLimits.itemsPerRequest)
    }
}
