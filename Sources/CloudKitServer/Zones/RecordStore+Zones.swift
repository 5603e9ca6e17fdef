public import CloudKitWire
import GRDB

extension RecordStore {
    /// Every zone, the default zone first (`zones/list`).
    public func zones(as caller: Caller) throws -> ZonesResponse {
        try read { db in
            let database = try DatabaseRow.find(caller, db)
            return ZonesResponse(
                zones: try ZoneRow.all(in: database, of: caller, db).map { .success(dictionary($0, caller)) })
        }
    }

    /// Some zones (`zones/lookup`).
    public func zones(_ request: ZonesLookupRequest, as caller: Caller) throws -> ZonesResponse {
        guard request.zones.count <= StoreLimits.itemsPerRequest else {
            throw ErrorDictionary.tooMany("zones", request.zones.count)
        }
        return try read { db in
            let database = try DatabaseRow.find(caller, db)
            return ZonesResponse(
                zones: try request.zones.map { zoneID in
                    try itemResult({ $0.about(zone: zoneID) }) {
                        dictionary(try ZoneRow.find(zoneID, in: database, of: caller, db), caller)
                    }
                })
        }
    }

    /// Creates and deletes zones, each by itself (`zones/modify`). A zone can be given once (protocol §3.7).
    public func modifyZones(_ request: ZonesModifyRequest, as caller: Caller) throws -> ZonesResponse {
        guard request.operations.count <= StoreLimits.itemsPerRequest else {
            throw ErrorDictionary.tooMany("operations", request.operations.count)
        }
        try requireDistinct(request.operations.map(\.zoneID), for: caller)
        return try findingRoom(deletes: request.operations.contains { $0.kind == .delete }) {
            try write { db, pushes in try carryOut(request, caller, db, &pushes) }
        }
    }

    private func carryOut(
        _ request: ZonesModifyRequest, _ caller: Caller, _ db: Database, _ pushes: inout [Push]
    ) throws -> ZonesResponse {
        let database = try DatabaseRow.find(caller, db)
        var counter = database.lastChange
        var ended: Set<Int64> = []
        let zones = try request.operations.map { operation in
            try itemResult({ $0.about(zone: operation.zoneID) }) {
                switch operation.kind {
                case .create: try createZone(operation.zoneID, database, caller, &counter, db)
                case .delete: try deleteZone(operation.zoneID, database, caller, &counter, &ended, db)
                }
            }
        }
        if counter != database.lastChange {
            try db.execute(
                sql: "UPDATE databases SET last_change = ? WHERE id = ?", arguments: [counter, database.id])
            pushes += try self.pushes(for: DatabaseChange(database: database.id, zones: []), caller, db)
            for database in ended {
                let change = DatabaseChange(database: database, scope: .shared, zones: [])
                pushes += try self.pushes(for: change, caller, db)
            }
        }
        return ZonesResponse(zones: zones)
    }

    private func createZone(
        _ zoneID: ZoneID, _ database: DatabaseRow, _ caller: Caller, _ counter: inout Int64, _ db: Database
    ) throws -> Zone {
        guard zoneID.zoneName != ZoneID.defaultZoneName else {
            throw ErrorDictionary.badRequest("the default zone can't be created")
        }
        try Names.check(zone: zoneID.zoneName)
        do {
            return dictionary(try ZoneRow.find(zoneID, in: database, of: caller, db), caller)
        } catch let error as ErrorDictionary where error.serverErrorCode == .zoneNotFound {}
        guard zoneID.ownerRecordName.map({ $0 == caller.userRecordName || $0 == "__defaultOwner__" }) ?? true else {
            throw ErrorDictionary(.accessDenied, reason: "zones can be created in one's own database only")
        }
        counter += 1
        // The tombstone of a former zone of this name makes room: the new incarnation supersedes it.
        try db.execute(
            sql: "DELETE FROM zones WHERE database_id = ? AND name = ? AND deleted = 1",
            arguments: [database.id, zoneID.zoneName])
        try db.execute(
            sql: "INSERT INTO zones (database_id, name, deleted, last_change) VALUES (?, ?, 0, ?)",
            arguments: [database.id, zoneID.zoneName, counter])
        return dictionary(ZoneRow(id: db.lastInsertedRowID, name: zoneID.zoneName, lastChange: counter), caller)
    }

    private func deleteZone(
        _ zoneID: ZoneID, _ database: DatabaseRow, _ caller: Caller, _ counter: inout Int64, _ ended: inout Set<Int64>,
        _ db: Database
    ) throws -> Zone {
        guard zoneID.zoneName != ZoneID.defaultZoneName else {
            throw ErrorDictionary.badRequest("the default zone can't be deleted")
        }
        let zone = try ZoneRow.find(zoneID, in: database, of: caller, db)
        counter += 1
        ended.formUnion(
            try SharedFeed(container: caller.container, environment: caller.environment, db: db).end(zone: zone.id))
        try db.execute(sql: "DELETE FROM records WHERE zone_id = ?", arguments: [zone.id])
        try db.execute(sql: "DELETE FROM subscriptions WHERE zone_id = ?", arguments: [zone.id])
        try db.execute(
            sql: "UPDATE zones SET deleted = 1, last_change = ? WHERE id = ?", arguments: [counter, zone.id])
        return Zone(zoneID: zone.zoneID(of: caller), deleted: true)
    }

    private func dictionary(_ zone: ZoneRow, _ caller: Caller) -> Zone {
        Zone(
            zoneID: zone.zoneID(of: caller), syncToken: zone.isDefault ? nil : token(of: zone),
            atomic: !zone.isDefault)
    }

    /// The place in a zone's feed: its owner's, or that of somebody with whom it is shared.
    func feed(of zone: ZoneRow, at position: Int64) -> SyncToken {
        zone.shared.map { SyncToken(kind: .sharedZone, feed: $0.feed, position: position) }
            ?? SyncToken(kind: .zone, feed: zone.id, position: position)
    }

    func token(of zone: ZoneRow) -> String {
        feed(of: zone, at: zone.lastChange).text(key)
    }

    /// What a caller who wants it is told of a zone in answers about its records; `nil` of a default zone, which has no feed.
    func currentToken(of zone: ZoneRow, for caller: Caller) -> String? {
        caller.wantsSyncToken && !zone.isDefault ? token(of: zone) : nil
    }

    /// - Throws: `BAD_REQUEST` where the same zone is given twice, however it is named.
    func requireDistinct(_ zones: [ZoneID], for caller: Caller) throws(ErrorDictionary) {
        var seen: Set<[[UInt8]]> = []
        for zone in zones {
            let owner = zone.ownerRecordName.flatMap { $0 == "__defaultOwner__" ? nil : $0 } ?? caller.userRecordName
            guard seen.insert([Array(zone.zoneName.utf8), Array(owner.utf8)]).inserted else {
                throw .badRequest("the same zone can't be given twice in one request: '\(zone.zoneName)'")
            }
        }
    }

    /// A result, or the error that names its item.
    func itemResult<Item>(
        _ naming: (ErrorDictionary) -> ErrorDictionary, _ body: () throws -> Item
    ) throws -> ItemResult<Item> {
        do {
            return .success(try body())
        } catch let error as ErrorDictionary {
            return .failure(naming(error))
        }
    }
}
