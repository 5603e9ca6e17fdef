import CloudKitWire
import GRDB

extension RecordTransaction {
    /// Deletes a record, and whatever refers to it with DELETE_SELF, and so on.
    ///
    /// A record to which another one refers that stays, with VALIDATE or as its parent, can't be deleted.
    /// - Throws: ``PendingOperations/Wait`` for those referring records with which the request still does something.
    mutating func delete(_ record: StoredRecord) throws {
        var doomed: [Int64: Int64] = [record.id: zone.id]
        var queue: [(name: String, zone: Int64)] = [(record.name, zone.id)]
        var holding: [Referrer] = []
        while let target = queue.popLast() {
            for referrer in try referrers(to: target.name, in: target.zone) {
                if referrer.holds {
                    holding.append(referrer)
                } else if doomed.updateValue(referrer.zone, forKey: referrer.id) == nil {
                    queue.append((referrer.name, referrer.zone))
                }
            }
        }
        if zone.shared != nil,
            let root = try shares(in: zone.id).compactMap(\.rootName).first(where: { root in
                try StoredRecord.find(root, in: zone.id, db).map { doomed[$0.id] != nil } ?? false
            })
        {
            throw ErrorDictionary(
                .accessDenied,
                reason: "'\(root)' would be deleted with it, and only its owner can delete what is shared")
        }
        var awaited: Set<Int> = []
        for obstacle in holding where doomed[obstacle.id] == nil {
            switch obstacle.zone == zone.id ? pending.changing(obstacle.name) : .nothing {
            case .nothing: throw violation(by: obstacle)
            case .later(let operation): awaited.insert(operation)
            case .underWay: promises.append(.unreferenced(obstacle.target, zone: obstacle.targetZone))
            }
        }
        guard awaited.isEmpty else { throw PendingOperations.Wait(operations: awaited) }
        // The record itself last: a client that reads the feed sees the dependants go first.
        for (id, zone) in doomed.sorted(by: {
            ($0.key == record.id ? 1 : 0, $0.key) < ($1.key == record.id ? 1 : 0, $1.key)
        }) {
            try bury(id, in: zone)
        }
    }

    private mutating func bury(_ id: Int64, in zone: Int64) throws {
        let selection = try db.cachedStatement(sql: "SELECT \(StoredRecord.columns) FROM records WHERE id = ?")
        let change = nextChange(in: zone)
        var share: Int64?
        if let row = try Row.fetchOne(selection, arguments: [id]) {
            let place = zone == self.zone.id ? self.zone : try ZoneRow.find(id: zone, db)
            let stored = StoredRecord(row)
            try events.note(.delete, of: stored, in: place, db)
            try displace(stored.name, in: zone, change: change)
            share = try endShares(of: stored, in: zone)
        }
        try db.cachedStatement(
            sql: """
                UPDATE records SET type = NULL, fields = NULL, size_bytes = 0, parent = NULL, change = ?,
                    modified_at = ?, modified_by = ? WHERE id = ?
                """
        ).execute(arguments: [change, now, caller.userRecordName, id])
        try write([], of: id, replacing: true)
        try db.cachedStatement(sql: "DELETE FROM asset_uses WHERE record_id = ?").execute(arguments: [id])
        // Another record of this name is another one.
        if let name = try String.fetchOne(db, sql: "SELECT name FROM records WHERE id = ?", arguments: [id]) {
            try forgetShortGUID(of: name, in: zone)
        }
        // A share goes with the record that it shares.
        if let share { try bury(share, in: zone) }
    }

    /// Names the obstacle only where all records are the caller's own.
    func violation(by obstacle: Referrer) -> ErrorDictionary {
        let name = caller.scope == .private ? "the record '\(obstacle.name)'" : "a record"
        return ErrorDictionary(
            .validatingReferenceError,
            reason: "\(name) still refers to '\(obstacle.target)', as its parent or with VALIDATE")
    }

    /// Living records of the database that refer to one, with an action or as their parent.
    func referrers(to name: String, in zone: Int64) throws -> [Referrer] {
        let links = try db.cachedStatement(
            sql: """
                SELECT r.id, r.name, r.zone_id, f.action = 'VALIDATE' FROM record_references f
                JOIN records r ON r.id = f.record_id JOIN zones z ON z.id = r.zone_id
                WHERE f.target_zone_id = ? AND f.target_name = ? AND z.database_id = ?
                """)
        let children = try db.cachedStatement(
            sql: "SELECT id, name, zone_id, 1 FROM records WHERE zone_id = ? AND parent = ?")
        let rows =
            try Row.fetchAll(links, arguments: [zone, name, database.id])
            + Row.fetchAll(children, arguments: [zone, name])
        return rows.map { row in
            Referrer(id: row[0], name: row[1], zone: row[2], holds: row[3], target: name, targetZone: zone)
        }
    }
}
