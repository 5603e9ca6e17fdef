public import CloudKitQueries
import CloudKitSchema
import CloudKitWire
import GRDB

extension RecordStore {
    /// A page of the records that a query finds (`records/query`).
    ///
    /// Without a sort they come by record name. Every field that a query names must have the index that it takes. What is
    /// committed is found at once; the service's index lags by seconds. A search that takes long ends its page early, maybe
    /// empty (protocol §3.3), or with a sort fails: nobody else's turn waits for a whole database to be read.
    public func query(_ request: RecordsQueryRequest, as caller: Caller) throws -> RecordsQueryResponse {
        let limit = try pageLimit(request.resultsLimit)
        try QueryLimits.check(request.query)
        return try read { db in
            let database = try DatabaseRow.find(caller, db)
            let zones = try zones(of: request, database, caller, db)
            let schema = try querySchema(of: request.query.recordType, caller, db)
            if request.query.filters.isEmpty, request.query.sorts.isEmpty {
                try schema.require(.queryable, of: .system(.recordName))
            }
            let filters = try request.query.filters.map { try CompiledFilter($0, schema) }
            let order = try QueryOrder(request.query.sorts, schema)
            let onlyOwn = try RecordAccess(caller: caller, db: db).readsOnlyOwn(request.query.recordType)
            let spansZones = request.zoneID == nil && request.zoneWide == true
            let fingerprint = QueryFingerprint(
                recordType: request.query.recordType, database: database.id, zone: spansZones ? nil : zones[0].id,
                filters: filters, order: order
            ).bytes
            let start = try request.continuationMarker.map {
                try ContinuationMarker.place(of: $0, for: fingerprint, key)
            }
            let search = QuerySearch(
                recordType: request.query.recordType, zones: zones, filters: filters, order: order, start: start,
                creator: onlyOwn ? caller.userRecordName : nil)
            var time = SearchTime(now: surroundings.now)
            let found = try search.page(limit: limit, within: &time, db)
            var view = RecordView(
                desiredKeys: request.desiredKeys,
                links: AssetLinks(key: key, baseURL: caller.baseURL, now: surroundings.now()))
            if zones.count == 1 { view.sharing = try ShareView(of: zones[0], for: caller, db) }
            var response = RecordsQueryResponse(
                records: try found.page.map { place, stored in
                    var view = view
                    if zones.count > 1, let zone = zones.first(where: { $0.id == place.zone }) {
                        view.sharing = try ShareView(of: zone, for: caller, db)
                    }
                    var record = try view.dictionary(of: stored)
                    if spansZones { record.zoneID = zones.first { $0.id == place.zone }?.zoneID(of: caller) }
                    return .success(record)
                },
                continuationMarker: found.end.map { ContinuationMarker(query: fingerprint, last: $0).text(key) })
            if !spansZones { response.syncToken = currentToken(of: zones[0], for: caller) }
            return response
        }
    }

    private func zones(
        of request: RecordsQueryRequest, _ database: DatabaseRow, _ caller: Caller, _ db: Database
    ) throws -> [ZoneRow] {
        guard request.zoneID == nil, request.zoneWide == true else {
            return [try ZoneRow.find(request.zoneID, in: database, of: caller, db)]
        }
        return try ZoneRow.all(in: database, of: caller, db)
    }

    /// - Throws: `NOT_FOUND` for a type that the schema does not have.
    func querySchema(of type: String, _ caller: Caller, _ db: Database) throws -> QuerySchema {
        let tables = SchemaTables(of: caller.container, in: caller.environment, db)
        guard let types = try tables.fieldTypes(of: type) else {
            throw ErrorDictionary(.notFound, reason: "Did not find record type: \(type)")
        }
        return QuerySchema(recordType: type, types: types, indexes: try tables.indexes(of: type))
    }
}

/// Finds a query's records in the store.
struct QuerySearch {
    let recordType: String
    let zones: [ZoneRow]
    let filters: [CompiledFilter]
    let order: QueryOrder
    /// Behind which record to begin.
    let start: QueryPlace?
    /// Whose records may be seen; `nil`: everybody's.
    let creator: String?

    typealias Found = QueryPage.Found

    /// - Returns: A page's records, and behind which place the next page begins; `nil` where this is the last one.
    func page(limit: Int, within time: inout SearchTime, _ db: Database) throws -> (page: [Found], end: QueryPlace?) {
        order.isByNameOnly ? try byName(limit, &time, db) : try sorted(limit, &time, db)
    }

    /// By name there is an index: the page's records are read and no others behind them.
    private func byName(
        _ limit: Int, _ time: inout SearchTime, _ db: Database
    ) throws -> (page: [Found], end: QueryPlace?) {
        var page: [Found] = []
        var budget = AnswerBudget(limit: StoreLimits.pageBytes)
        for zone in zones where zone.id >= start?.zone ?? .min {
            let name = zone.id == start?.zone ? start?.name ?? [] : []
            let rows = try records(in: zone, after: String(decoding: name, as: UTF8.self), db)
            while let row = try rows.next() {
                let record = try QueriedRecord(StoredRecord(row), zone: zone.name)
                let place = order.place(of: record, zone: zone.id)
                if finds(record) {
                    guard page.count < limit, budget.admits(record.stored) else { return (page, page.last?.place) }
                    page.append((place, record.stored))
                }
                guard !time.isOver() else { return (page, place) }
            }
        }
        return (page, nil)
    }

    /// Any other order is made anew for each page, which alone is kept in memory.
    private func sorted(
        _ limit: Int, _ time: inout SearchTime, _ db: Database
    ) throws -> (page: [Found], end: QueryPlace?) {
        var page = QueryPage(order: order, limit: limit)
        for zone in zones {
            let rows = try records(in: zone, after: "", db)
            while let row = try rows.next() {
                guard !time.isOver() else { throw SearchTime.exceeded }
                let record = try QueriedRecord(StoredRecord(row), zone: zone.name)
                guard finds(record) else { continue }
                let place = order.place(of: record, zone: zone.id)
                if start.map({ order.precedes($0, place) }) ?? true { page.offer(record.stored, at: place) }
            }
        }
        return (page.found, page.isLast ? nil : page.found.last?.place)
    }

    private func finds(_ record: QueriedRecord) -> Bool {
        creator.map { $0 == record.stored.created.userRecordName } ?? true && filters.allSatisfy { $0.matches(record) }
    }

    private func records(in zone: ZoneRow, after name: String, _ db: Database) throws -> RowCursor {
        // Not a cached statement: two of its cursors could be under way at once.
        try Row.fetchCursor(
            db,
            sql: """
                SELECT \(StoredRecord.columns) FROM records
                WHERE zone_id = ? AND type = ? AND name > ?\(zone.shared?.access.condition ?? "") ORDER BY name
                """,
            arguments: [zone.id, recordType, name])
    }
}
