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
    var events: WatchedEvents
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
    var schema: LearnedSchema
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
        events = WatchedEvents(of: database.id)
        schema = LearnedSchema(SchemaTables(of: caller.container, in: caller.environment, db))
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

        try schema.learn(learned, of: type)
        stored.change = nextChange(in: zone.id)
        try stored.write(in: zone.id, replacing: row, db)
        try write(references, of: stored.id, replacing: living != nil)
        try writeAssets(of: fields, new: newAssets, record: stored.id, replacing: living != nil)
        try place(stored)
        if wantsShortGUID { try makeShortGUID(for: name) }
        try events.note(living == nil ? .create : .update, of: stored, in: zone, db)
        // Whoever may write a record and not read it gets back what he gave.
        let mayRead = try access.allows(.read, stored)
        return try dictionary(
            of: stored, fields: mayRead ? fields : fields.filter { given.fields[$0.key] != nil }, operation)
    }
}
