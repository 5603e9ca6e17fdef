import CloudKitSchema
import CloudKitWire
import GRDB

extension RecordTransaction {
    /// The references of a record that must be remembered, after checking their targets (protocol §4).
    ///
    /// A reference can do harm: VALIDATE holds up its target's deletion, and DELETE_SELF gives the referring record into
    /// the hands of whoever may delete the target. In a private database both are its owner's affair. In the others, by a
    /// local rule, a new reference is refused
    /// - with VALIDATE, to a record that the caller may not write, and so could not delete himself,
    /// - with DELETE_SELF, to a record that is not there, or that he may not see: else anyone could create it later, and
    ///   delete the referring record by deleting it.
    ///
    /// In a zone that somebody else shared, it also has to stay in the zone. So every reference keeps the protocol's
    /// promise, and nobody can use one against somebody else.
    /// - Parameter given: The fields that are saved now; references in others are as they were.
    /// - Throws: ``PendingOperations/Wait`` for those targets that the request saves later.
    mutating func links(
        of fields: [String: Field], given: Set<String>, from record: StoredRecord?
    ) throws -> [ReferenceLink] {
        let existing = try existingLinks(of: record)
        var links = existing.filter { !given.contains($0.field) && fields[$0.field] != nil }
        var checked: Set<ReferenceLink> = []
        var awaited: Set<Int> = []
        let kept = caller.scope == .private ? [] : Set(existing.map(\.fieldless))
        for (name, field) in fields where given.contains(name) {
            for reference in field.value?.references ?? [] where reference.action != .none {
                let target = try zoneRow(of: reference)
                let link = ReferenceLink(
                    field: name, targetZone: target.id, targetName: reference.recordName, action: reference.action)
                links.append(link)
                guard links.count <= StoreLimits.referencesOfRecord else {
                    throw ErrorDictionary.badRequest(
                        "a record can have \(StoreLimits.referencesOfRecord) references with an action")
                }
                // The same target in another field, or twice in a list, is one target.
                let fieldless = link.fieldless
                guard checked.insert(fieldless).inserted else { continue }
                let isNew = !kept.contains(fieldless)
                if link.action == .deleteSelf { try checkCount(of: link, from: record) }
                guard link.action == .validate || caller.scope != .private && isNew else { continue }
                switch link.targetZone == zone.id ? try outlook(of: link.targetName) : .nothing {
                case .nothing: try check(link, isNew: isNew)
                case .later(let operation): awaited.insert(operation)
                case .underWay: promises.append(.target(link, isNew: isNew))
                }
            }
        }
        guard awaited.isEmpty else { throw PendingOperations.Wait(operations: awaited) }
        return links
    }

    /// - Throws: `VALIDATING_REFERENCE_ERROR` where a reference's target is not there, or not for the caller;
    ///   `ACCESS_DENIED` where a new one would hold it up against the will of whoever may delete it.
    func check(_ link: ReferenceLink, isNew: Bool) throws {
        guard let target = try StoredRecord.find(link.targetName, in: link.targetZone, db), !target.isTombstone,
            try sees(target)
        else {
            throw ErrorDictionary(
                .validatingReferenceError, reason: "the record '\(link.targetName)' that is referred to does not exist")
        }
        if link.action == .validate, isNew, try !mayWrite(target) {
            throw ErrorDictionary(
                .accessDenied, reason: "a VALIDATE reference to '\(link.targetName)' needs WRITE permission for it")
        }
    }

    /// How the request still saves a record of the zone that others refer to; nothing is to come for one that is there.
    func outlook(of name: String) throws -> PendingOperations.Outlook {
        let isThere = try StoredRecord.find(name, in: zone.id, db).map { !$0.isTombstone } ?? false
        return isThere ? .nothing : pending.saving(name)
    }

    func write(_ links: [ReferenceLink], of record: Int64, replacing: Bool) throws {
        if replacing {
            try db.cachedStatement(sql: "DELETE FROM record_references WHERE record_id = ?").execute(
                arguments: [record])
        }
        for link in links {
            try db.cachedStatement(sql: "INSERT INTO record_references VALUES (?, ?, ?, ?, ?)").execute(
                arguments: [record, link.field, link.targetZone, link.targetName, link.action.rawValue])
        }
    }

    func check(parent: String) throws {
        guard let row = try StoredRecord.find(parent, in: zone.id, db), !row.isTombstone, try sees(row) else {
            throw ErrorDictionary(.validatingReferenceError, reason: "the parent '\(parent)' does not exist")
        }
    }

    private func zoneRow(of reference: Reference) throws -> ZoneRow {
        guard let zoneID = reference.zoneID else { return zone }
        let owner = zone.ownerRecordName ?? caller.userRecordName
        let isOwners = zoneID.ownerRecordName.map { $0 == owner || zone.shared == nil } ?? true
        if zoneID.zoneName == zone.name, isOwners { return zone }
        guard zone.shared == nil else {
            throw ErrorDictionary(
                .accessDenied, reason: "in a zone that somebody shares, a reference with an action stays in the zone")
        }
        return try ZoneRow.find(zoneID, in: database, of: caller, db)
    }

    /// The references that a record has by now.
    private func existingLinks(of record: StoredRecord?) throws -> [ReferenceLink] {
        guard let record else { return [] }
        let statement = try db.cachedStatement(
            sql: "SELECT field, target_zone_id, target_name, action FROM record_references WHERE record_id = ?")
        return try Row.fetchAll(statement, arguments: [record.id]).compactMap { row in
            Reference.Action(rawValue: row[3]).map {
                ReferenceLink(field: row[0], targetZone: row[1], targetName: row[2], action: $0)
            }
        }
    }

    private func checkCount(of link: ReferenceLink, from record: StoredRecord?) throws {
        let count = try Int.fetchOne(
            try db.cachedStatement(
                sql: """
                    SELECT count(DISTINCT record_id) FROM record_references
                    WHERE target_zone_id = ? AND target_name = ? AND action = 'DELETE_SELF' AND record_id <> ?
                    """),
            arguments: [link.targetZone, link.targetName, record?.id ?? 0])!
        guard count < StoreLimits.deleteSelfReferences else {
            throw ErrorDictionary.badRequest(
                "'\(link.targetName)' already has \(count) DELETE_SELF references, the most that one record can have")
        }
    }
}
