import CloudKitWire
import GRDB
import WireCoding

/// A share, beside its record.
struct ShareRow: Hashable {
    /// Of the share's record.
    var id: Int64
    var zone: Int64
    /// `nil`: the whole zone.
    var rootName: String?
    var publicPermission: SharePermission

    private static let columns = "record_id, zone_id, root_name, public_permission"

    private init(_ row: Row) {
        id = row[0]
        zone = row[1]
        rootName = row[2]
        publicPermission = SharePermission(rawValue: row[3]) ?? .none
    }

    init(id: Int64, zone: Int64, rootName: String?, publicPermission: SharePermission) {
        (self.id, self.zone, self.rootName, self.publicPermission) = (id, zone, rootName, publicPermission)
    }

    /// The shares of a zone: one of the whole zone, or some of hierarchies.
    static func all(in zone: Int64, _ db: Database) throws -> [Self] {
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM shares WHERE zone_id = ?")
        return try Row.fetchAll(statement, arguments: [zone]).map(Self.init)
    }

    static func find(_ id: Int64, _ db: Database) throws -> Self? {
        let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM shares WHERE record_id = ?")
        return try Row.fetchOne(statement, arguments: [id]).map(Self.init)
    }

    /// The share that a record with a short GUID stands for: it is one, or it is the top of one.
    static func find(of record: String, in zone: Int64, _ db: Database) throws -> Self? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT s.record_id, s.zone_id, s.root_name, s.public_permission
                FROM shares s JOIN records r ON r.id = s.record_id WHERE s.zone_id = ? AND (s.root_name = ? OR r.name = ?)
                """)
        return try Row.fetchOne(statement, arguments: [zone, record, record]).map(Self.init)
    }

    func write(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO shares VALUES (?, ?, ?, ?)
                ON CONFLICT (record_id) DO UPDATE SET public_permission = excluded.public_permission
                """,
            arguments: [id, zone, rootName, publicPermission.rawValue])
    }
}

/// Somebody in a share, as it is stored.
struct Participant: Hashable {
    var id: String
    /// The person's row; `nil` while nobody is known by the lookup.
    var user: Int64?
    var lookup: UserLookupInfo?
    var kind: ShareParticipant.Kind
    var acceptance: ShareParticipant.Acceptance
    var permission: SharePermission

    /// Everyone in a share, the owner first, with the record names and names of those who are known.
    static func all(in share: Int64, _ db: Database) throws -> [(participant: Self, recordName: String?, name: String?)]
    {
        let statement = try db.cachedStatement(
            sql: """
                SELECT p.participant_id, p.user_id, p.lookup, p.kind, p.acceptance, p.permission, u.record_name, u.name
                FROM participants p LEFT JOIN users u ON u.id = p.user_id
                WHERE p.share_id = ? ORDER BY p.kind <> 'OWNER', p.rowid
                """)
        return try Row.fetchAll(statement, arguments: [share]).map { row in
            let lookup: String? = row[2]
            return (
                Self(
                    id: row[0], user: row[1], lookup: try lookup.map { try UserLookupInfo.decode(Array($0.utf8)) },
                    kind: .init(rawValue: row[3]) ?? .unknown, acceptance: .init(rawValue: row[4]) ?? .unknown,
                    permission: SharePermission(rawValue: row[5]) ?? .none),
                row[6], row[7]
            )
        }
    }

    /// Puts the participants of a share into the place of those that are stored.
    static func replace(_ participants: [Self], in share: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM participants WHERE share_id = ?", arguments: [share])
        for participant in participants {
            try db.execute(
                sql: "INSERT INTO participants VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    share, participant.id, participant.user,
                    participant.lookup.map { String(decoding: $0.encoded(), as: UTF8.self) }, participant.kind.rawValue,
                    participant.acceptance.rawValue, participant.permission.rawValue,
                ])
        }
    }

    /// Who left is out, or invited once more where somebody invited them: what they left they can accept again.
    var afterLeaving: Self? {
        guard kind != .publicUser, lookup != nil else { return nil }
        var invited = self
        invited.user = nil
        invited.acceptance = .invited
        return invited
    }

    /// Whether the person is meant who has that name on this server, or that record name.
    func isInvitation(of name: String?, recordName: String) -> Bool {
        guard user == nil, let lookup else { return false }
        return lookup.userRecordName == recordName || name != nil && lookup.emailAddress == name
    }
}
