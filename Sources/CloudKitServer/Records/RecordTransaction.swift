import CloudKitSchema
import CloudKitWire
import GRDB

/// The operations of one `records/modify`, inside one database transaction.
///
/// An operation is checked in full before it writes, so one that throws an ``ErrorDictionary``, or has to wait for others,
/// has changed nothing.
struct RecordTransaction {
    let store: RecordStore
    let caller: Caller
    let db: Database
    let database: DatabaseRow
    let zone: ZoneRow
    var view: RecordView
    let now: Int64
    private(set) var isAtomic = true
    /// The change counter, as it will be stored.
    var counter: Int64
    /// The highest change of each zone that was touched; references can reach into others than ``zone``.
    var lastChanges: [Int64: Int64] = [:]
    /// What became of records whose types somebody's query subscription is about, in order.
    private(set) var events: [RecordEvent] = []
    /// By record type, as far as asked.
    private var isWatched: [String: Bool] = [:]
    /// Shares in whose sight something changed.
    var touchedShares: Set<Int64> = []
    /// Users whose part in a zone's shares may have changed, by zone.
    var affectedUsers: [Int64: Set<Int64>] = [:]
    /// How many records came into shared hierarchies or went out of them.
    var movedRecords = 0
    /// What the request has still to do.
    var pending = PendingOperations()
    /// What the operation that is tried takes for granted.
    var promises: [PendingOperations.Promise] = []
    private var schema: [String: [String: String]] = [:]
    private var budget = AnswerBudget(limit: StoreLimits.answerBytes)

    init(_ store: RecordStore, _ request: RecordsModifyRequest, _ caller: Caller, _ db: Database) throws {
        let own = try DatabaseRow.find(caller, db)
        let zone = try ZoneRow.find(request.zoneID, in: own, of: caller, db)
        let database = try zone.shared.map { try DatabaseRow.find(id: $0.ownersDatabase, db) } ?? own
        self.init(store, in: zone, of: database, caller, db)
        view.desiredKeys = request.desiredKeys
        isAtomic = !zone.isDefault && request.atomic != false
    }

    /// Changes in a zone, whatever the caller's part in it.
    init(_ store: RecordStore, in zone: ZoneRow, of database: DatabaseRow, _ caller: Caller, _ db: Database) {
        self.store = store
        self.caller = caller
        self.db = db
        self.database = database
        self.zone = zone
        now = store.surroundings.now()
        counter = database.lastChange
        view = RecordView(
            desiredKeys: nil, links: AssetLinks(key: store.key, baseURL: caller.baseURL, now: now))
    }

    var access: RecordAccess { RecordAccess(caller: caller, db: db) }

    /// The zone with what has been changed.
    var zoneNow: ZoneRow {
        var zone = zone
        zone.lastChange = lastChanges[zone.id] ?? zone.lastChange
        return zone
    }

    mutating func apply(_ operation: RecordOperation) throws -> Record {
        let name = operation.record.recordName ?? store.surroundings.uuid()
        try Names.check(record: name)
        let row = try StoredRecord.find(name, in: zone.id, db)
        var living = row.flatMap { $0.isTombstone ? nil : $0 }
        // Whoever would save under a name must learn that it is taken; nobody else is told of a record that is not for him.
        if let there = living, !operation.kind.mayCreate, try !sees(there) { living = nil }
        let decision = SaveDecision.decide(
            operation.kind, tag: operation.record.recordChangeTag, existing: living?.changeTag)
        if let living, let type = living.type, operation.kind != .create {
            // Before anything is said about tags: whoever may not write learns nothing of them.
            try access.require(.write, of: type, createdBy: living.created.userRecordName)
        }
        if operation.kind == .create, let type = operation.record.recordType { try access.require(.create, of: type) }
        try requireShared(operation, name, living: living, decision)
        if isAboutShare(operation, living: living) {
            return try apply(operation, toShare: name, row: row, living: living, decision)
        }
        switch decision {
        case .refuse(let error): throw error
        case .insert:
            if let type = operation.record.recordType { try access.require(.create, of: type) }
            return try save(operation, name, row: row, keeping: nil)
        case .merge: return try save(operation, name, row: row, keeping: living)
        case .replaceFields: return try save(operation, name, row: row, keeping: nil)
        case .nothing: break
        case .delete: try delete(living!)
        }
        return Self.acknowledgement(of: name)
    }

    private static func acknowledgement(of name: String) -> Record {
        var acknowledgement = Record(recordName: name)
        acknowledgement.deleted = true
        return acknowledgement
    }

    private mutating func apply(
        _ operation: RecordOperation, toShare name: String, row: StoredRecord?, living: StoredRecord?,
        _ decision: SaveDecision
    ) throws -> Record {
        if let type = operation.record.recordType, type != RecordSharing.recordType, !operation.kind.deletes {
            throw ErrorDictionary.badRequest("the record type of '\(name)' can't change: it is a share")
        }
        switch decision {
        case .refuse(let error): throw error
        case .insert, .replaceFields, .merge:
            return try saveShare(operation, name, row: row, living: living, keepsFields: decision == .merge)
        case .delete: try deleteShare(living!)
        case .nothing: break
        }
        return Self.acknowledgement(of: name)
    }

    mutating func note(_ kind: RecordEvent.Kind, _ record: StoredRecord, in zone: ZoneRow) throws {
        // A deletion can take any number of records with it: they are not kept for nobody.
        guard let type = record.type, try watches(type) else { return }
        events.append(RecordEvent(kind: kind, zone: zone, record: record))
    }

    private mutating func watches(_ type: String) throws -> Bool {
        if let known = isWatched[type] { return known }
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM subscriptions
                    WHERE database_id = ? AND type = 'query' AND json_extract(dictionary, '$.query.recordType') = ?)
                """)
        let found = try Bool.fetchOne(statement, arguments: [database.id, type])!
        isWatched[type] = found
        return found
    }

    /// - Throws: Where the answer has no room for the record that an operation would give.
    mutating func admit(_ stored: StoredRecord) throws(ErrorDictionary) {
        guard budget.admits(stored) else { throw isAtomic ? .atomicAnswerIsTooLarge : .answerIsFull("operations") }
    }

    /// The next change, of a record in some zone.
    mutating func nextChange(in zone: Int64) -> Int64 {
        counter += 1
        lastChanges[zone] = counter
        return counter
    }

    private mutating func save(
        _ operation: RecordOperation, _ name: String, row: StoredRecord?, keeping kept: StoredRecord?
    ) throws -> Record {
        let given = operation.record
        let living = row.flatMap { $0.isTombstone ? nil : $0 }
        guard let type = given.recordType ?? living?.type else { throw ErrorDictionary.missing("recordType") }
        if let livingType = living?.type, livingType != type {
            throw ErrorDictionary.badRequest("the record type of '\(name)' can't change: it is \(livingType)")
        }
        let keptFields = try kept?.decodedFields() ?? [:]
        let (fields, learned, newAssets) = try resolved(
            given.fields, of: type, record: name, isNamed: given.recordName != nil, over: keptFields)
        let size = StoredRecord.size(of: fields)
        guard size <= StoreLimits.recordBytes else {
            throw ErrorDictionary.badRequest(
                "the record is \(size) bytes without its assets, and the limit is \(StoreLimits.recordBytes)")
        }
        let wantsShortGUID = given.sharing?.createShortGUID == true
        if wantsShortGUID { try requireShareable() }
        let references = try links(of: fields, given: Set(given.fields.keys), from: living)
        if let parent = given.parent, parent != living?.parent { try checkOrDefer(parent: parent, of: name) }
        try requireMovable(name, from: living?.parent, to: given.parent ?? kept?.parent)

        let stamp = StoredRecord.stamp(now, caller.userRecordName)
        var stored = StoredRecord(
            id: row?.id ?? 0, name: name, type: type, change: 0, fields: StoredRecord.encoded(fields), size: size,
            created: living?.created ?? stamp, modified: stamp,
            // Above the root of what is shared with somebody there is nothing that they could say.
            parent: try isRootForParticipant(name) ? living?.parent : given.parent ?? kept?.parent)
        try admit(stored)

        try learn(learned, of: type)
        stored.change = nextChange(in: zone.id)
        try write(&stored, replacing: row)
        try write(references, of: stored.id, replacing: living != nil)
        try writeAssets(of: fields, new: newAssets, record: stored.id, replacing: living != nil)
        try place(stored)
        if wantsShortGUID { try makeShortGUID(for: name) }
        try note(living == nil ? .create : .update, stored, in: zone)
        // Whoever may write a record and not read it gets back what he gave.
        let mayRead = try access.allows(.read, stored)
        return try dictionary(
            of: stored, fields: mayRead ? fields : fields.filter { given.fields[$0.key] != nil }, operation)
    }

    private mutating func resolved(
        _ given: [String: Field], of type: String, record: String, isNamed: Bool, over kept: [String: Field]
    ) throws -> (fields: [String: Field], learned: [String: String], newAssets: [AssetTicket.Content]) {
        let known = try knownFields(of: type)
        let mayLearn = store.settings.learnsSchema && caller.environment == "development"
        if known == nil {
            try Names.check(recordType: type)
            guard mayLearn else { throw ErrorDictionary.badRequest("Cannot create new type \(type) in this schema") }
        }
        let types = FieldTypes(recordType: type, known: known, mayLearn: mayLearn)
        var fields = kept
        var newAssets: [AssetTicket.Content] = []
        // Where the type is new, it is learned even if the record has no field.
        var learned: [String: String] = known == nil ? ["": ""] : [:]
        for (name, field) in given {
            guard field.value != nil else {
                fields[name] = nil
                continue
            }
            if known?[name] == nil { try Names.check(field: name) }
            guard !field.isEncrypted || caller.scope != .public else {
                throw ErrorDictionary.badRequest("encrypted fields are not supported in the public database")
            }
            let (value, newType) = try types.resolve(field, named: name)
            if let newType { learned[name] = newType }
            let accepted = try value.mapAssets { asset in
                let (stored, content) = try store.accept(
                    asset, record: isNamed ? record : nil, field: name, zone: zone.id, now: now)
                newAssets.append(content)
                return stored
            }
            fields[name] = Field(accepted, isEncrypted: field.isEncrypted)
        }
        return (fields, learned, newAssets)
    }

    private var schemaTables: SchemaTables { SchemaTables(of: caller.container, in: caller.environment, db) }

    private mutating func knownFields(of type: String) throws -> [String: String]? {
        if let known = schema[type] { return known }
        guard let known = try schemaTables.fieldTypes(of: type) else { return nil }
        schema[type] = known
        return known
    }

    private mutating func learn(_ types: [String: String], of recordType: String) throws {
        guard !types.isEmpty else { return }
        try schemaTables.learn(types, of: recordType)
        schema[recordType, default: [:]].merge(types) { $1 }
    }

    func write(_ stored: inout StoredRecord, replacing row: StoredRecord?) throws {
        if row != nil {
            try db.cachedStatement(
                sql: """
                    UPDATE records SET type = ?, change = ?, fields = ?, size_bytes = ?, created_at = ?, created_by = ?,
                        modified_at = ?, modified_by = ?, parent = ? WHERE id = ?
                    """
            ).execute(arguments: [
                stored.type, stored.change, stored.fields, stored.size, stored.created.timestamp,
                stored.created.userRecordName, stored.modified.timestamp, stored.modified.userRecordName, stored.parent,
                stored.id,
            ])
        } else {
            try db.cachedStatement(
                sql: """
                    INSERT INTO records (zone_id, name, type, change, fields, size_bytes, created_at, created_by,
                        modified_at, modified_by, parent) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                zone.id, stored.name, stored.type, stored.change, stored.fields, stored.size, stored.created.timestamp,
                stored.created.userRecordName, stored.modified.timestamp, stored.modified.userRecordName, stored.parent,
            ])
            stored.id = db.lastInsertedRowID
        }
    }
}
