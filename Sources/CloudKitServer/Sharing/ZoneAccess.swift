import CloudKitWire
import GRDB

/// A zone of somebody else, as one of those sees it who take part in a share of it.
struct SharedZone {
    /// The row that stands for the zone in the caller's shared database; new whenever the caller loses sight of something.
    var feed: Int64
    /// The database that the zone is in.
    var ownersDatabase: Int64
    var access: ZoneAccess
}

/// What a participant may see and do in a zone.
struct ZoneAccess {
    /// By a share of the whole zone.
    var whole: SharePermission?
    /// By shares of hierarchies, by their rows.
    var parts: [Int64: SharePermission] = [:]

    /// Of a user in a zone; nobody's where nothing is shared with them.
    init(of user: Int64?, to zone: Int64, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT s.record_id, s.root_name IS NULL, p.permission FROM shares s JOIN participants p ON p.share_id = s.record_id
                WHERE s.zone_id = ? AND p.user_id = ? AND p.acceptance = 'ACCEPTED' AND p.kind <> 'OWNER'
                """)
        for row in try Row.fetchAll(statement, arguments: [zone, user]) {
            let permission = SharePermission(rawValue: row[2]) ?? .none
            if row[1] { whole = permission } else { parts[row[0]] = permission }
        }
    }

    /// What may be done with a record; `none` for one that is out of sight.
    func permission(for name: String, in zone: Int64, _ db: Database) throws -> SharePermission {
        if let whole { return whole }
        return try Self.share(of: name, in: zone, db).flatMap { parts[$0] } ?? .none
    }

    /// Whether anything at all may be saved.
    var mayWrite: Bool { whole == .readWrite || parts.values.contains(.readWrite) }

    /// As a condition on the rows of `records`, for queries; the numbers are our own.
    var condition: String {
        guard whole == nil else { return "" }
        let shares = parts.keys.sorted().map(String.init).joined(separator: ",")
        return """
             AND EXISTS (SELECT 1 FROM shared_records m WHERE m.zone_id = records.zone_id AND m.name = records.name
                AND m.visible = 1 AND m.share_id IN (\(shares)))
            """
    }

    /// The share of a hierarchy that a record is in.
    static func share(of name: String, in zone: Int64, _ db: Database) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: "SELECT share_id FROM shared_records WHERE zone_id = ? AND name = ? AND visible = 1")
        return try Int64.fetchOne(statement, arguments: [zone, name])
    }
}
