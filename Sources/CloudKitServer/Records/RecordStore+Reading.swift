import CloudKitSchema
public import CloudKitWire
import GRDB

extension RecordStore {
    /// Records by name, each as it is after the newest commit (`records/lookup`).
    public func lookup(_ request: RecordsLookupRequest, as caller: Caller) throws -> RecordsResponse {
        guard request.recordNames.count <= StoreLimits.itemsPerRequest else {
            throw ErrorDictionary.tooMany("records", request.recordNames.count)
        }
        var view = RecordView(
            desiredKeys: request.desiredKeys,
            links: AssetLinks(key: key, baseURL: caller.baseURL, now: surroundings.now()))
        return try writer.read { db in
            let database = try DatabaseRow.find(caller, db)
            let zone = try ZoneRow.find(request.zoneID, in: database, of: caller, db)
            let access = RecordAccess(caller: caller, db: db)
            view.sharing = try ShareView(of: zone, for: caller, db)
            return RecordsResponse(
                records: try request.recordNames.enumerated().map { index, name in
                    try itemResult({ $0.about(record: name) }) {
                        guard let row = try StoredRecord.find(name, in: zone.id, db), let type = row.type,
                            try zone.shared?.access.permission(for: name, in: zone.id, db) != SharePermission.none
                        else {
                            throw ErrorDictionary.recordNotFound
                        }
                        try access.require(.read, of: type, createdBy: row.created.userRecordName)
                        var view = view
                        view.desiredKeys = request.desiredKeysOfRecords[index] ?? view.desiredKeys
                        return try view.dictionary(of: row)
                    }
                })
        }
    }

    /// What changed in some zones since their tokens: each record once, as it is now, oldest change first
    /// (`changes/zone`).
    ///
    /// A page ends after 200 records, or earlier where their fields add up to 4 MiB.
    public func zoneChanges(_ request: ZoneChangesRequest, as caller: Caller) throws -> ZoneChangesResponse {
        guard request.zones.count <= StoreLimits.itemsPerRequest else {
            throw ErrorDictionary.tooMany("zones", request.zones.count)
        }
        let now = surroundings.now()
        return try writer.read { db in
            let database = try DatabaseRow.find(caller, db)
            return ZoneChangesResponse(
                zones: try request.zones.map { query in
                    try itemResult({ $0.about(zone: query.zoneID) }) {
                        try changes(query, database, caller, now, db)
                    }
                })
        }
    }

    /// What changed in one zone since a token (`records/changes`, which ``zoneChanges(_:as:)`` replaced).
    ///
    /// A zone's error is the request's.
    public func recordsChanges(_ query: ZoneChangesQuery, as caller: Caller) throws -> RecordsChangesResponse {
        try writer.read { db in
            let database = try DatabaseRow.find(caller, db)
            return RecordsChangesResponse(try changes(query, database, caller, surroundings.now(), db))
        }
    }

    private func changes(
        _ query: ZoneChangesQuery, _ database: DatabaseRow, _ caller: Caller, _ now: Int64, _ db: Database
    ) throws -> ZoneChanges {
        let zone = try ZoneRow.find(query.zoneID, in: database, of: caller, db)
        guard !zone.isDefault else { throw ErrorDictionary.badRequest("cannot get changes in default zone") }
        guard query.reverse != true else {
            throw ErrorDictionary.badRequest("reverse is not supported by this server")
        }
        let position = try SyncToken.position(
            of: query.syncToken, feed(of: zone, at: 0).kind, feed: feed(of: zone, at: 0).feed,
            lastChange: zone.lastChange, key)
        let limit = try pageLimit(query.resultsLimit)
        var view = RecordView(
            desiredKeys: query.desiredKeys,
            links: AssetLinks(key: key, baseURL: caller.baseURL, now: now))
        view.sharing = try ShareView(of: zone, for: caller, db)
        let desiredTypes = query.desiredRecordTypes.map(Set.init)

        let rows = try ZoneFeed(zone: zone, db: db).records(after: position, limit: limit + 1)
        var records: [ItemResult<Record>] = []
        var reached = zone.lastChange
        var moreComing = false
        var (rowCount, bytes, last) = (0, 0, position)
        while let row = try rows.next() {
            let (stored, change) = row
            bytes += stored.size
            if rowCount == limit || rowCount > 0 && bytes > StoreLimits.pageBytes {
                (reached, moreComing) = (last, true)
                break
            }
            rowCount += 1
            last = change
            if let type = stored.type, let desiredTypes, !desiredTypes.contains(type) { continue }
            records.append(.success(try view.dictionary(of: stored)))
        }
        return ZoneChanges(
            zoneID: zone.zoneID(of: caller),
            syncToken: feed(of: zone, at: reached).text(key), moreComing: moreComing,
            records: records)
    }
}
