public import CloudKitWire
import GRDB

/// Shares, for those who have their short GUIDs (protocol §3.12).
extension RecordStore {
    /// What some short GUIDs stand for, as far as the caller may know (`records/resolve`).
    public func resolveShares(_ request: SharesRequest, as caller: Caller) throws -> SharesResponse {
        try check(request)
        return try read { db in
            var budget = AnswerBudget(limit: StoreLimits.answerBytes)
            return SharesResponse(
                results: try request.shortGUIDs.map { guid in
                    try itemResult({ $0.about(shortGUID: guid) }) {
                        try metadata(of: FoundShare.find(guid.value, for: caller, db), guid, caller, &budget, db)
                    }
                })
        }
    }

    /// Takes part in some shares: from then on their zones are in the caller's shared database (`records/accept`).
    public func acceptShares(_ request: SharesRequest, as caller: Caller) throws -> SharesResponse {
        try check(request)
        return try write { db, pushes in
            var budget = AnswerBudget(limit: StoreLimits.answerBytes)
            return SharesResponse(
                results: try request.shortGUIDs.map { guid in
                    try itemResult({ $0.about(shortGUID: guid) }) {
                        let found = try FoundShare.find(guid.value, for: caller, db)
                        pushes += try join(found, caller, db)
                        return try metadata(of: .find(guid.value, for: caller, db), guid, caller, &budget, db)
                    }
                })
        }
    }

    private func check(_ request: SharesRequest) throws(ErrorDictionary) {
        guard request.shortGUIDs.count <= StoreLimits.itemsPerRequest else {
            throw .tooMany("shortGUIDs", request.shortGUIDs.count)
        }
    }

    /// Makes the caller a participant who has accepted, unless they are one.
    private func join(_ found: FoundShare, _ caller: Caller, _ db: Database) throws -> [Push] {
        guard let user = caller.userID, found.own?.acceptance != .accepted else { return [] }
        var participants = found.participants
        if let index = participants.firstIndex(where: { $0 == found.own }) {
            participants[index].user = user
            participants[index].acceptance = .accepted
        } else {
            guard participants.count < ParticipantList.limit else {
                throw ErrorDictionary.badRequest(
                    "the share has \(participants.count) participants, the most it can have")
            }
            participants.append(
                Participant(
                    id: surroundings.uuid().lowercased(), user: user, lookup: nil, kind: .publicUser,
                    acceptance: .accepted, permission: found.share.publicPermission))
        }
        try Participant.replace(participants, in: found.share.id, db)
        var participant = caller
        participant.scope = .shared
        var transaction = RecordTransaction(self, in: found.zone, of: found.database, participant, db)
        transaction.affectedUsers[found.zone.id] = [user]
        try transaction.touch(share: found.stored)
        return try transaction.finish()
    }

    private func metadata(
        of found: FoundShare, _ guid: ShortGUID, _ caller: Caller, _ budget: inout AnswerBudget, _ db: Database
    ) throws -> ShareMetadata {
        var reader = caller
        reader.scope = found.isOwner ? .private : .shared
        var zone = found.zone
        zone.ownerRecordName = found.ownerRecordName
        var metadata = ShareMetadata(
            shortGUID: guid, container: caller.container, environment: caller.environment,
            databaseScope: reader.scope.rawValue.uppercased(), zoneID: zone.zoneID(of: reader))
        var view = RecordView(
            desiredKeys: nil,
            links: AssetLinks(key: key, baseURL: caller.baseURL, now: surroundings.now()))
        view.sharing = try ShareView(of: zone, for: reader, db)
        guard budget.admits(found.stored) else { throw ErrorDictionary.answerIsFull("shares") }
        metadata.share = try view.dictionary(of: found.stored)
        metadata.rootRecordName = found.share.rootName
        if !found.isOwner, found.own?.acceptance != .accepted {
            // Who else takes part is for those who do.
            metadata.share?.sharing?.participants?.removeAll { $0.kind != .owner && $0.participantID != found.own?.id }
        }
        // Whoever may join may see what they would join; no more of it than the top.
        if guid.shouldFetchRootRecord == true, let root = found.share.rootName {
            view.desiredKeys = guid.rootRecordDesiredKeys
            metadata.rootRecord = try StoredRecord.find(root, in: zone.id, db).flatMap { stored in
                budget.admits(stored) ? try view.dictionary(of: stored) : nil
            }
        }
        metadata.ownerIdentity = UserIdentity(
            userRecordName: found.ownerRecordName, givenName: found.ownerName)
        metadata.participantType = found.own?.kind ?? .publicUser
        metadata.participantStatus = found.own?.acceptance ?? .invited
        metadata.participantPermission = found.own?.permission ?? found.share.publicPermission
        return metadata
    }
}

/// A share that somebody has the short GUID of, and may know of.
struct FoundShare {
    var share: ShareRow
    var stored: StoredRecord
    var zone: ZoneRow
    var database: DatabaseRow
    var ownerRecordName: String
    var ownerName: String?
    var participants: [Participant]
    /// The caller; `nil` for somebody who could join.
    var own: Participant?

    var isOwner: Bool { own?.kind == .owner }

    /// - Throws: `NOT_FOUND`, in the same words for what is not there and for what the caller is not invited to.
    static func find(_ guid: String, for caller: Caller, _ db: Database) throws -> Self {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT g.zone_id, g.record_name, d.id, u.id, u.record_name, u.name FROM short_guids g
                JOIN zones z ON z.id = g.zone_id AND z.deleted = 0 JOIN databases d ON d.id = z.database_id
                JOIN users u ON u.id = d.owner_id
                WHERE g.guid = ? AND d.container = ? AND d.environment = ? AND d.scope = 'private'
                """,
            arguments: [guid, caller.container, caller.environment])
        guard let row, let share = try ShareRow.find(of: row[1], in: row[0], db),
            let stored = try StoredRecord.find(id: share.id, db)
        else { throw unknown }
        let everyone = try Participant.all(in: share.id, db)
        let name = try String.fetchOne(db, sql: "SELECT name FROM users WHERE id = ?", arguments: [caller.userID])
        let own = everyone.first { known in
            if let user = known.participant.user { return user == caller.userID }
            return known.participant.isInvitation(of: name, recordName: caller.userRecordName)
        }
        guard own != nil || share.publicPermission != .none else { throw unknown }
        return Self(
            share: share, stored: stored, zone: try ZoneRow.find(id: row[0], db), database: try .find(id: row[2], db),
            ownerRecordName: row[4], ownerName: row[5], participants: everyone.map(\.participant),
            own: own?.participant)
    }

    private static let unknown = ErrorDictionary(.notFound, reason: "there is no share with this short GUID")
}
