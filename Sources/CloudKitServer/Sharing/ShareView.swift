import CloudKitWire
import GRDB

/// Adds to record dictionaries what they say about sharing.
struct ShareView {
    private let zone: Int64
    private let zoneID: ZoneID
    private let user: Int64?
    private let isParticipant: Bool
    private let db: Database

    /// `nil` for a zone in which nothing is shared or about to be: most of them.
    init?(of zone: ZoneRow, for caller: Caller, _ db: Database) throws {
        let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM short_guids WHERE zone_id = ?)")
        guard caller.scope != .public, try Bool.fetchOne(statement, arguments: [zone.id])! else { return nil }
        self.zone = zone.id
        zoneID = zone.zoneID(of: caller)
        user = caller.userID
        isParticipant = caller.scope == .shared
        self.db = db
    }

    func complete(_ record: inout Record, of stored: StoredRecord) throws {
        let guid = try db.cachedStatement(sql: "SELECT guid FROM short_guids WHERE zone_id = ? AND record_name = ?")
        let shortGUID = try String.fetchOne(guid, arguments: [zone, stored.name])
        if let type = stored.type, type == RecordSharing.recordType, let share = try ShareRow.find(stored.id, db) {
            record.sharing = try sharing(of: share)
            record.sharing?.shortGUID =
                try shortGUID
                ?? share.rootName.flatMap {
                    try String.fetchOne(guid, arguments: [zone, $0])
                }
            return
        }
        guard let shortGUID else { return }  // Whatever is shared has one.
        record.sharing = RecordSharing()
        record.sharing?.shortGUID = shortGUID
        let share = try db.cachedStatement(
            sql: """
                SELECT r.name FROM shares s JOIN records r ON r.id = s.record_id WHERE s.zone_id = ? AND s.root_name = ?
                """)
        // What is above the root is not for those who see what is below.
        if isParticipant, record.parent != nil,
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM shares WHERE zone_id = ? AND root_name = ?)",
                arguments: [zone, stored.name])!
        {
            record.parent = nil
        }
        record.share = try String.fetchOne(share, arguments: [zone, stored.name]).map {
            ShareReference(recordName: $0, zoneID: zoneID)
        }
    }

    private func sharing(of share: ShareRow) throws -> RecordSharing {
        var sharing = RecordSharing()
        sharing.publicPermission = share.publicPermission
        sharing.forRecord = share.rootName.map { SharedRoot(recordName: $0) }
        var everyone: [ShareParticipant] = []
        for (participant, recordName, name) in try Participant.all(in: share.id, db) {
            var one = ShareParticipant(inviting: participant.lookup, permission: participant.permission)
            (one.participantID, one.userRecordName, one.givenName) = (participant.id, recordName, name)
            (one.kind, one.acceptance) = (participant.kind, participant.acceptance)
            everyone.append(one)
            if participant.kind == .owner { sharing.owner = one }
            if let user, participant.user == user { sharing.currentUserParticipant = one }
        }
        sharing.participants = everyone
        return sharing
    }
}
