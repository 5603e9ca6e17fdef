import CloudKitSchema
public import CloudKitWire
import GRDB

extension RecordStore {
    /// Records by name, each as it is after the newest commit (`records/lookup`).
    ///
    /// A record that the caller may not read is not found, like one that does not exist.
    ///
    /// Records that the answer has no room for are errors with `TRY_AGAIN_LATER` and no time to wait: ask for them again.
    public func lookup(_ request: RecordsLookupRequest, as caller: Caller) throws -> RecordsResponse {
        guard request.recordNames.count <= StoreLimits.itemsPerRequest else {
            throw ErrorDictionary.tooMany("records", request.recordNames.count)
        }
        var view = RecordView(
            desiredKeys: request.desiredKeys,
            links: AssetLinks(key: key, baseURL: caller.baseURL, now: surroundings.now()))
        return try read { db in
            let database = try DatabaseRow.find(caller, db)
            let zone = try ZoneRow.find(request.zoneID, in: database, of: caller, db)
            let access = RecordAccess(caller: caller, db: db)
            view.sharing = try ShareView(of: zone, for: caller, db)
            var budget = AnswerBudget(limit: StoreLimits.answerBytes)
            var response = RecordsResponse(
                records: try request.recordNames.enumerated().map { index, name in
                    try itemResult({ $0.about(record: name) }) {
                        guard let row = try StoredRecord.find(name, in: zone.id, db), try access.allows(.read, row),
                            try zone.shared?.access.permission(for: name, in: zone.id, db) != SharePermission.none
                        else {
                            throw ErrorDictionary.recordNotFound
                        }
                        guard budget.admits(row) else { throw ErrorDictionary.answerIsFull("records") }
                        var view = view
                        view.desiredKeys = request.desiredKeysOfRecords[index] ?? view.desiredKeys
                        return try view.dictionary(of: row)
                    }
                })
            response.syncToken = currentToken(of: zone, for: caller)
            return response
        }
    }

    /// What changed in some zones since their tokens: each record once, as it is now, oldest change first
    /// (`changes/zone`).
    ///
    /// A page ends after 200 records, and the pages of all zones together where they add up to 4 MiB. A zone that has
    /// changes and no room for any is an error with `TRY_AGAIN_LATER` and no time to wait: a page without records would
    /// have the token that was sent, and look like the end of all progress. A zone can be given once, as a record can in
    /// `records/modify` (protocol §10.3).
    public func zoneChanges(_ request: ZoneChangesRequest, as caller: Caller) throws -> ZoneChangesResponse {
        guard request.zones.count <= StoreLimits.itemsPerRequest else {
            throw ErrorDictionary.tooMany("zones", request.zones.count)
        }
        try requireDistinct(request.zones.map(\.zoneID), for: caller)
        let now = surroundings.now()
        return try read { db in
            let database = try DatabaseRow.find(caller, db)
            var budget = AnswerBudget(limit: StoreLimits.pageBytes)
            return ZoneChangesResponse(
                zones: try request.zones.map { query in
                    try itemResult({ $0.about(zone: query.zoneID) }) {
                        try changes(query, within: &budget, database, caller, now, db)
                    }
                })
        }
    }

    /// What changed in one zone since a token (`records/changes`, which ``zoneChanges(_:as:)`` replaced).
    ///
    /// A zone's error is the request's.
    public func recordsChanges(_ query: ZoneChangesQuery, as caller: Caller) throws -> RecordsChangesResponse {
        try read { db in
            let database = try DatabaseRow.find(caller, db)
            var budget = AnswerBudget(limit: StoreLimits.pageBytes)
            return RecordsChangesResponse(
                try changes(query, within: &budget, database, caller, surroundings.now(), db))
        }
    }

    private func changes(
        _ query: ZoneChangesQuery, within budget: inout AnswerBudget, _ database: DatabaseRow, _ caller: Caller,
        _ now: Int64, _ db: Database
    ) throws -> ZoneChanges {
        let zone = try ZoneRow.find(query.zoneID, in: database, of: caller, db)
        guard !zone.isDefault else { throw ErrorDictionary.badRequest("cannot get changes in default zone") }
        let isReverse = query.reverse == true
        let position = try place(of: query.syncToken, in: zone, isReverse: isReverse)
        try checkPast(position, of: zone.shared?.ownersDatabase ?? database.id, db)
        let limit = try pageLimit(query.resultsLimit)
        var view = RecordView(
            desiredKeys: query.desiredKeys,
            links: AssetLinks(key: key, baseURL: caller.baseURL, now: now))
        view.sharing = try ShareView(of: zone, for: caller, db)
        let desiredTypes = query.desiredRecordTypes.map(Set.init)

        let feed = ZoneFeed(zone: zone, db: db)
        let rows =
            try isReverse
            ? feed.records(upTo: position, limit: limit + 1) : feed.records(after: position, limit: limit + 1)
        var records: [ItemResult<Record>] = []
        var reached = isReverse ? 0 : zone.lastChange
        var moreComing = false
        var (rowCount, last) = (0, position)
        while let row = try rows.next() {
            let (stored, change) = row
            if rowCount == limit || !budget.admits(stored) {
                guard rowCount > 0 else { throw ErrorDictionary.answerIsFull("zones") }
                (reached, moreComing) = (last, true)
                break
            }
            rowCount += 1
            last = isReverse ? change - 1 : change
            if let type = stored.type, let desiredTypes, !desiredTypes.contains(type) { continue }
            records.append(.success(try view.dictionary(of: stored)))
        }
        return ZoneChanges(
            zoneID: zone.zoneID(of: caller),
            syncToken: self.feed(of: zone, at: reached).text(key), moreComing: moreComing,
            records: records)
    }

    /// Where in a zone's feed a fetch begins. A token is a place between two changes: a fetch goes on from it to the newer
    /// ones, in reverse to the older ones. So whoever gives a token of a fetch in reverse to another one gets changes twice,
    /// and misses none.
    private func place(of token: String?, in zone: ZoneRow, isReverse: Bool) throws(ErrorDictionary) -> Int64 {
        if isReverse, token?.isEmpty ?? true { return token == nil ? zone.lastChange : 0 }
        let beginning = feed(of: zone, at: 0)
        return try SyncToken.position(
            of: token, beginning.kind, feed: beginning.feed, lastChange: zone.lastChange, key)
    }
}
