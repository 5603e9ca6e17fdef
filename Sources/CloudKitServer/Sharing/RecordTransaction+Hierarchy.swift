import CloudKitWire
import GRDB

/// Which records are in which shared hierarchy, kept up to date with every save and deletion.
///
/// A record is in the hierarchy of a share when its parents lead to the share's root. Each that comes or goes gets a change
/// of its own in the hierarchy's feed, without its own change tag changing.
extension RecordTransaction {
    /// The shares of a zone.
    func shares(in zone: Int64) throws -> [ShareRow] { try ShareRow.all(in: zone, db) }

    /// Checks a new parent, or leaves that for when the request has saved it.
    /// - Throws: As ``check(parent:of:)``; ``PendingOperations/Wait`` where the request saves the parent later.
    mutating func checkOrDefer(parent: String, of name: String) throws {
        switch try outlook(of: parent) {
        case .nothing: try check(parent: parent, of: name)
        case .later(let operation): throw PendingOperations.Wait(operations: [operation])
        case .underWay:
            // With nothing below, it can be no part of a hierarchy until its parent is there.
            guard try subtree(of: name, in: zone.id).count == 1 else { return try check(parent: parent, of: name) }
            promises.append(.parent(parent, of: name))
        }
    }

    /// - Throws: `VALIDATING_REFERENCE_ERROR` where the parent is not there, `BAD_REQUEST` for one that would make a circle,
    ///   or that would bring one shared hierarchy into another.
    func check(parent: String, of name: String) throws {
        try check(parent: parent)
        guard try StoredRecord.find(parent, in: zone.id, db)?.type != RecordSharing.recordType else {
            throw ErrorDictionary.badRequest("the parent '\(parent)' is a share")
        }
        let below = try subtree(of: name, in: zone.id)
        guard !below.contains(where: { $0.utf8.elementsEqual(parent.utf8) }) else {
            throw ErrorDictionary.badRequest("the parent '\(parent)' is the record itself or below it")
        }
        let roots = try shares(in: zone.id).compactMap(\.rootName)
        guard !roots.isEmpty, try ZoneAccess.share(of: parent, in: zone.id, db) != nil else { return }
        let names = Set(below)
        let isInside = try ZoneAccess.share(of: name, in: zone.id, db) == ZoneAccess.share(of: parent, in: zone.id, db)
        if !isInside, let root = roots.first(where: { names.contains($0) }) {
            throw ErrorDictionary.badRequest("'\(root)' is shared already, and shares can't be inside of each other")
        }
    }

    /// - Throws: `BAD_REQUEST` where a request moves more records between hierarchies than one may.
    func requireMovable(_ name: String, from old: String?, to new: String?) throws {
        guard old != new, try shares(in: zone.id).contains(where: { $0.rootName != nil }) else { return }
        let count = try subtree(of: name, in: zone.id).count
        guard count + movedRecords <= StoreLimits.movedRecords else {
            throw ErrorDictionary.badRequest(
                "the request moves more than \(StoreLimits.movedRecords) records between shared hierarchies")
        }
    }

    /// Puts a record that was saved, and what is below it, where its parent says.
    mutating func place(_ record: StoredRecord) throws {
        let shares = try shares(in: zone.id)
        guard !shares.isEmpty else { return }
        for share in shares where share.rootName == nil { touchedShares.insert(share.id) }
        guard shares.contains(where: { $0.rootName != nil }) else { return }
        let old = try ZoneAccess.share(of: record.name, in: zone.id, db)
        let new =
            try shares.first { $0.rootName == record.name }?.id
            ?? record.parent.flatMap { try ZoneAccess.share(of: $0, in: zone.id, db) }
        if new == old {
            if let new { try setMember(record.name, of: new, in: zone.id, isVisible: true, change: record.change) }
            return
        }
        for name in try subtree(of: record.name, in: zone.id) { try move(name, from: old, to: new, in: zone.id) }
    }

    /// Takes a record that was deleted, and what is below it, out of its hierarchy.
    mutating func displace(_ name: String, in zone: Int64, change: Int64) throws {
        let shares = try shares(in: zone)
        guard !shares.isEmpty else { return }
        for share in shares where share.rootName == nil { touchedShares.insert(share.id) }
        guard let share = try ZoneAccess.share(of: name, in: zone, db) else { return }
        try setMember(name, of: share, in: zone, isVisible: false, change: change)
        for below in try subtree(of: name, in: zone) where below != name {
            try move(below, from: share, to: nil, in: zone)
        }
    }

    /// Brings the root of a new share into it, with all that is below, and the share itself.
    mutating func fill(_ share: ShareRow, named name: String, change: Int64) throws {
        touchedShares.insert(share.id)
        guard let root = share.rootName else { return }
        try setMember(name, of: share.id, in: share.zone, isVisible: true, change: change)
        for member in try subtree(of: root, in: share.zone) {
            try move(member, from: nil, to: share.id, in: share.zone)
        }
    }

    /// Gives every record of a hierarchy a new change in its feed, for somebody who could not see them and has a token.
    mutating func restamp(_ share: Int64, in zone: Int64) throws {
        let names = try String.fetchAll(
            db, sql: "SELECT name FROM shared_records WHERE share_id = ? AND visible = 1 ORDER BY change",
            arguments: [share])
        for name in names { try move(name, from: share, to: share, in: zone) }
    }

    /// A record and everything whose parents lead to it; those that live.
    func subtree(of name: String, in zone: Int64) throws -> [String] {
        let statement = try db.cachedStatement(
            sql: """
                WITH RECURSIVE below (name) AS (
                    VALUES (?) UNION
                    SELECT r.name FROM below b JOIN records r ON r.zone_id = ? AND r.parent = b.name)
                SELECT name FROM below
                """)
        return try String.fetchAll(statement, arguments: [name, zone])
    }

    private mutating func move(_ name: String, from old: Int64?, to new: Int64?, in zone: Int64) throws {
        movedRecords += 1
        let change = nextChange(in: zone)
        if let old, old != new { try setMember(name, of: old, in: zone, isVisible: false, change: change) }
        if let new { try setMember(name, of: new, in: zone, isVisible: true, change: change) }
    }

    mutating func setMember(_ name: String, of share: Int64, in zone: Int64, isVisible: Bool, change: Int64) throws {
        touchedShares.insert(share)
        try db.cachedStatement(
            sql: """
                INSERT INTO shared_records VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (share_id, name) DO UPDATE SET visible = excluded.visible, change = excluded.change
                """
        ).execute(arguments: [share, zone, name, isVisible, change])
    }
}
