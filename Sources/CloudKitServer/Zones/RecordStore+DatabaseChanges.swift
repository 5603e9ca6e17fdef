public import CloudKitWire
import GRDB

extension RecordStore {
    /// Zones that changed or were deleted since a token, longest unchanged first (`changes/database`).
    ///
    /// Without a token, deleted zones are left out: there is nobody to tell.
    public func databaseChanges(
        _ request: DatabaseChangesRequest, as caller: Caller
    ) throws -> DatabaseChangesResponse {
        try read { db in
            let database = try DatabaseRow.find(caller, db)
            let position = try SyncToken.position(
                of: request.syncToken, .database, feed: database.id, lastChange: database.lastChange, key)
            try checkPast(position, of: database.id, db)
            let limit = try pageLimit(request.resultsLimit)
            let rows = try changedZones(
                since: position, tellsDeleted: request.syncToken != nil, limit: limit + 1, database, caller, db)
            let page = rows.prefix(limit)
            let isLast = rows.count <= limit
            let reached: Int64 = isLast ? database.lastChange : page.last?.change ?? position
            return DatabaseChangesResponse(
                zones: page.map { row in
                    ChangedZone(
                        zoneID: row.zone.zoneID(of: caller), syncToken: row.isDeleted ? nil : token(of: row.zone),
                        deleted: row.isDeleted ? true : nil)
                },
                syncToken: SyncToken(kind: .database, feed: database.id, position: reached).text(key),
                moreComing: !isLast)
        }
    }

    private typealias ZoneChange = (zone: ZoneRow, isDeleted: Bool, change: Int64)

    /// Longest unchanged first.
    private func changedZones(
        since position: Int64, tellsDeleted: Bool, limit: Int, _ database: DatabaseRow, _ caller: Caller,
        _ db: Database
    ) throws -> [ZoneChange] {
        let selection =
            caller.scope == .shared
            ? """
            SELECT s.zone_id, s.name, z.last_change, s.deleted, s.last_change AS change, s.owner_record_name, s.id
            FROM shared_zones s LEFT JOIN zones z ON z.id = s.zone_id
            WHERE s.database_id = ? AND s.last_change > ? AND s.name <> ? AND (s.deleted = 0 OR ?)
            """
            : """
            SELECT id, name, last_change, deleted, last_change AS change, NULL, NULL FROM zones
            WHERE database_id = ? AND last_change > ? AND name <> ? AND (deleted = 0 OR ?)
            """
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "\(selection) ORDER BY change LIMIT ?"),
            arguments: [database.id, position, ZoneID.defaultZoneName, tellsDeleted, limit])
        return try rows.map { row in
            var zone = ZoneRow(id: row[0], name: row[1], lastChange: row[2] ?? 0, ownerRecordName: row[5])
            if let feed: Int64 = row[6] {
                let access = try ZoneAccess(of: caller.userID, to: zone.id, db)
                zone.shared = SharedZone(feed: feed, ownersDatabase: 0, access: access)
            }
            return (zone, row[3], row[4])
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
