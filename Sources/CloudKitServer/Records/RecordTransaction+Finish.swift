import CloudKitWire
import GRDB

/// What follows from all operations of a request together.
extension RecordTransaction {
    /// Writes the counters, brings the databases of participants up to date, and gives the notifications that all of it
    /// causes; call it once, last.
    mutating func finish() throws -> [Push] {
        guard counter != database.lastChange else { return [] }
        let shared = try updateSharedDatabases()
        try db.cachedStatement(sql: "UPDATE databases SET last_change = ? WHERE id = ?")
            .execute(arguments: [counter, database.id])
        let update = try db.cachedStatement(sql: "UPDATE zones SET last_change = ? WHERE id = ?")
        for (zone, change) in lastChanges { try update.execute(arguments: [change, zone]) }
        let own = DatabaseChange(
            database: database.id, scope: caller.scope == .public ? .public : .private,
            zones: lastChanges.keys.sorted(), records: events.all)
        return try ([own] + shared.map { DatabaseChange(database: $0, scope: .shared, zones: []) }).flatMap {
            try store.pushes(for: $0, caller, db)
        }
    }

    /// - Returns: Those that changed.
    private mutating func updateSharedDatabases() throws -> [Int64] {
        guard !touchedShares.isEmpty || !affectedUsers.isEmpty else { return [] }
        let feed = SharedFeed(container: caller.container, environment: caller.environment, db: db)
        var changed: [Int64: Set<Int64>] = [:]
        for (zone, users) in affectedUsers.sorted(by: { $0.key < $1.key }) {
            let owner = try Row.fetchOne(
                db, sql: "SELECT u.id, u.record_name FROM users u JOIN databases d ON d.owner_id = u.id WHERE d.id = ?",
                arguments: [database.id])!
            let name = zone == self.zone.id ? self.zone.name : try ZoneRow.find(id: zone, db).name
            for user in users.sorted() where user != owner[0] {
                let (database, gained) = try feed.update(
                    user: user, zone: zone, name: name, ownerRecordName: owner[1])
                if let database { changed[zone, default: []].insert(database) }
                for share in gained { try restamp(share, in: zone) }
            }
        }
        for zone in lastChanges.keys.sorted() {
            let databases = try feed.note(zone: zone, shares: touchedShares, except: changed[zone] ?? [])
            changed[zone, default: []].formUnion(databases)
        }
        return Set(changed.values.joined()).sorted()
    }

    /// The answer's dictionary.
    func dictionary(of stored: StoredRecord, fields: [String: Field], _ operation: RecordOperation) throws -> Record {
        var view = view
        view.desiredKeys = operation.desiredKeys ?? view.desiredKeys
        view.sharing = try ShareView(of: zone, for: caller, db)
        return try view.dictionary(of: stored, fields: fields)
    }
}
