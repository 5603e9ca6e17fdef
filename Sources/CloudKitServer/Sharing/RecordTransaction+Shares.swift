import CloudKitWire
import GRDB

/// Saving and deleting shares, which are records with consequences (protocol §3.1, "Sharing by web").
extension RecordTransaction {
    /// Whether an operation is about a share rather than a plain record.
    func isAboutShare(_ operation: RecordOperation, living: StoredRecord?) -> Bool {
        if let living { return living.type == RecordSharing.recordType }
        return !operation.kind.needsRecord && operation.record.recordType == RecordSharing.recordType
    }

    /// Saves a share.
    mutating func saveShare(
        _ operation: RecordOperation, _ name: String, row: StoredRecord?, living: StoredRecord?, keepsFields: Bool
    ) throws -> Record {
        try requireShareable()
        let given = operation.record
        let fields = try ShareFields.resolved(
            given.fields, over: keepsFields ? try living?.decodedFields() ?? [:] : [:])
        let existing = try living.flatMap { try ShareRow.find($0.id, db) }
        let root = try existing.map(\.rootName) ?? newRoot(of: operation, named: name)
        let everyone = try existing.map { try Participant.all(in: $0.id, db) } ?? []
        let known = existing == nil ? nil : everyone.map(\.participant)
        var recordNames: [String: String] = [:]
        for one in everyone { recordNames[one.participant.id] = one.recordName }
        if existing != nil { try requireAdministrator(of: known ?? []) }
        var list = ParticipantList(
            participants: try known ?? [owner()], publicPermission: existing?.publicPermission ?? .none)
        try list.apply(
            given.sharing, recordNames: recordNames, makeID: { store.surroundings.uuid().lowercased() })

        let stamp = StoredRecord.stamp(now, caller.userRecordName)
        var stored = StoredRecord(
            id: row?.id ?? 0, name: name, type: RecordSharing.recordType, change: 0,
            fields: StoredRecord.encoded(fields), size: StoredRecord.size(of: fields),
            created: living?.created ?? stamp, modified: stamp, parent: nil)
        try admit(stored)
        stored.change = nextChange(in: zone.id)
        try stored.write(in: zone.id, replacing: row, db)
        let share = ShareRow(id: stored.id, zone: zone.id, rootName: root, publicPermission: list.publicPermission)
        try share.write(db)
        try Participant.replace(list.participants, in: share.id, db)
        try makeShortGUID(for: root ?? name)
        if existing == nil {
            try fill(share, named: name, change: stored.change)
        } else if root != nil {
            try setMember(name, of: share.id, in: zone.id, isVisible: true, change: stored.change)
        }
        touchedShares.insert(share.id)
        affectedUsers[zone.id, default: []].formUnion((list.participants + (known ?? [])).compactMap(\.user))
        try events.note(living == nil ? .create : .update, of: stored, in: zone, db)
        return try dictionary(of: stored, fields: fields, operation)
    }

    /// Deletes a share; for a participant: leaves it.
    mutating func deleteShare(_ living: StoredRecord) throws {
        guard zone.shared != nil else { return try delete(living) }
        let participants = try Participant.all(in: living.id, db).map(\.participant).compactMap { participant in
            participant.user == caller.userID ? participant.afterLeaving : participant
        }
        try Participant.replace(participants, in: living.id, db)
        affectedUsers[zone.id, default: []].insert(caller.userID!)
        try touch(share: living)
    }

    /// What goes with a record that is deleted: the share it is, or the share of which it is the root.
    /// - Returns: The share's record that has to be deleted, too.
    mutating func endShares(of record: StoredRecord, in zone: Int64) throws -> Int64? {
        if record.type == RecordSharing.recordType, let share = try ShareRow.find(record.id, db) {
            affectedUsers[zone, default: []].formUnion(
                try Participant.all(in: share.id, db).compactMap(\.participant.user))
            if let root = share.rootName { try forgetShortGUID(of: root, in: zone) }
            try db.execute(sql: "DELETE FROM shares WHERE record_id = ?", arguments: [share.id])
            return nil
        }
        return try shares(in: zone).first { $0.rootName == record.name }?.id
    }

    /// Makes the share's record a changed one, after a change of its participants.
    mutating func touch(share stored: StoredRecord) throws {
        var stored = stored
        stored.change = nextChange(in: zone.id)
        try db.execute(
            sql: "UPDATE records SET change = ? WHERE id = ?", arguments: [stored.change, stored.id])
        if try ShareRow.find(stored.id, db)?.rootName != nil {
            try setMember(stored.name, of: stored.id, in: zone.id, isVisible: true, change: stored.change)
        }
        touchedShares.insert(stored.id)
        try events.note(.update, of: stored, in: zone, db)
    }

    /// - Throws: `BAD_REQUEST` where nothing can be shared.
    func requireShareable() throws(ErrorDictionary) {
        guard caller.scope != .public, !zone.isDefault else {
            throw .badRequest("records can be shared in custom zones of the private database only")
        }
    }

    /// Gives a record a short GUID, unless it has one.
    func makeShortGUID(for name: String) throws {
        let guid = "0" + base64URL(store.surroundings.randomBytes(16))
        try db.execute(
            sql: "INSERT OR IGNORE INTO short_guids VALUES (?, ?, ?)", arguments: [guid, zone.id, name])
    }

    func forgetShortGUID(of name: String, in zone: Int64) throws {
        try db.cachedStatement(sql: "DELETE FROM short_guids WHERE zone_id = ? AND record_name = ?").execute(
            arguments: [zone, name])
    }

    /// What a new share shares: a record of the zone that is in no hierarchy yet, or the whole zone.
    private func newRoot(of operation: RecordOperation, named name: String) throws -> String? {
        guard zone.shared == nil else {
            throw ErrorDictionary(.accessDenied, reason: "only the owner of a zone can share it")
        }
        let shares = try shares(in: zone.id)
        guard shares.count < StoreLimits.sharesOfZone else {
            throw ErrorDictionary.badRequest("there are \(shares.count) shares in the zone, the most that it can have")
        }
        guard name != RecordSharing.zoneWideShareName else {
            guard operation.record.sharing?.forRecord == nil else {
                throw ErrorDictionary.badRequest("'\(name)' shares the whole zone and has no forRecord")
            }
            guard shares.isEmpty else {
                throw ErrorDictionary.badRequest(
                    "records of the zone are shared already: a zone with such shares can't be")
            }
            return nil
        }
        guard let root = operation.record.sharing?.forRecord else { throw ErrorDictionary.missing("forRecord") }
        guard !shares.contains(where: { $0.rootName == nil }) else {
            throw ErrorDictionary.badRequest("the whole zone is shared already")
        }
        if case .later(let operation) = try outlook(of: root.recordName) {
            throw PendingOperations.Wait(operations: [operation])
        }
        guard let record = try StoredRecord.find(root.recordName, in: zone.id, db), !record.isTombstone,
            record.type != RecordSharing.recordType
        else {
            throw ErrorDictionary(.notFound, reason: "Cannot share - no such record exists to share")
        }
        guard root.recordChangeTag.map({ $0 == record.changeTag }) ?? true else { throw ErrorDictionary.staleTag }
        let below = Set(try subtree(of: root.recordName, in: zone.id))
        let isShared = try ZoneAccess.share(of: root.recordName, in: zone.id, db) != nil
        guard !isShared, !shares.contains(where: { $0.rootName.map(below.contains) ?? false }) else {
            throw ErrorDictionary.badRequest("'\(root.recordName)' or a record below it is shared already")
        }
        guard below.count + movedRecords <= StoreLimits.movedRecords else {
            throw ErrorDictionary.badRequest(
                "'\(root.recordName)' has more than \(StoreLimits.movedRecords) records below it: share the whole zone")
        }
        return root.recordName
    }

    private func requireAdministrator(of participants: [Participant]) throws {
        guard zone.shared != nil else { return }
        guard participants.contains(where: { $0.user == caller.userID && $0.kind == .administrator }) else {
            throw ErrorDictionary(.accessDenied, reason: "only the owner and administrators of a share can change it")
        }
    }

    private func owner() throws -> Participant {
        Participant(
            id: store.surroundings.uuid().lowercased(), user: caller.userID, lookup: nil, kind: .owner,
            acceptance: .accepted, permission: .readWrite)
    }
}

/// The fields that a share has: those that the service predefines, and whatever an app adds, without a schema.
enum ShareFields {
    private static let predefined = [
        "cloudkit.title": "STRING", "cloudkit.type": "STRING", "cloudkit.thumbnailImageData": "BYTES",
    ]

    static func resolved(_ given: [String: Field], over kept: [String: Field]) throws -> [String: Field] {
        let types = FieldTypes(recordType: RecordSharing.recordType, known: predefined, mayLearn: true)
        var fields = kept
        for (name, field) in given {
            guard field.value != nil else {
                fields[name] = nil
                continue
            }
            if predefined[name] == nil { try Names.check(field: name) }
            let (value, _) = try types.resolve(field, named: name)
            guard value.assets.isEmpty, value.references.isEmpty else {
                throw ErrorDictionary.badRequest("a share can't hold assets or references: '\(name)'")
            }
            fields[name] = Field(value, isEncrypted: field.isEncrypted)
        }
        guard StoredRecord.size(of: fields) <= StoreLimits.recordBytes else {
            throw ErrorDictionary.badRequest("the share is larger than \(StoreLimits.recordBytes) bytes")
        }
        return fields
    }
}
