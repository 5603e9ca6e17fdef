import CloudKitWire

/// The people in a share, and what a save makes of them.
struct ParticipantList {
    /// With the owner.
    var participants: [Participant]
    var publicPermission: SharePermission

    /// The most that a share can have, the owner among them, as in the service.
    static let limit = 100

    /// What the list becomes when a share is saved.
    ///
    /// A list that is given is the whole list: who is not in it is out. Nobody can put themselves or others in as
    /// accepted, and the owner stays. Closing a share to the public removes those who came by its link, and changing what
    /// the public may do removes invitations that nobody has followed yet and that are not given again.
    /// - Parameters:
    ///   - recordNames: Of those participants who are known, by their IDs.
    ///   - makeID: A new participant's ID.
    mutating func apply(_ sharing: RecordSharing?, recordNames: [String: String], makeID: () -> String) throws {
        let before = publicPermission
        switch sharing?.publicPermission {
        case nil: break
        case .unknown: throw ErrorDictionary.badRequest("Unknown publicPermission")
        case let permission?: publicPermission = permission
        }
        if let given = sharing?.participants {
            try replace(with: given, recordNames: recordNames, makeID: makeID)
        } else if publicPermission != before {
            participants.removeAll { $0.acceptance == .invited }
        }
        if publicPermission == .none { participants.removeAll { $0.kind == .publicUser } }
        for index in participants.indices where participants[index].kind == .publicUser {
            participants[index].permission = publicPermission
        }
        guard participants.count <= Self.limit else {
            throw ErrorDictionary.badRequest(
                "the share has \(participants.count) participants, and the limit is \(Self.limit)")
        }
    }

    private mutating func replace(
        with given: [ShareParticipant], recordNames: [String: String], makeID: () -> String
    ) throws {
        var kept = participants.filter { $0.kind == .owner }
        for one in given where one.acceptance != .removed {
            // The ID says it best; whoever leaves it out means somebody by another name.
            let existing =
                participants.first { $0.id == one.participantID }
                ?? participants.first { known in
                    one.userRecordName.map { recordNames[known.id] == $0 } ?? false
                        || known.lookup != nil && known.lookup == one.lookupInfo
                }
            if existing?.kind == .owner || one.kind == .owner { continue }
            guard existing.map({ known in !kept.contains { $0.id == known.id } }) ?? true else {
                throw ErrorDictionary.badRequest("the same participant is given twice")
            }
            kept.append(try existing.map { try changed($0, to: one) } ?? invited(one, makeID))
        }
        participants = kept
    }

    private func changed(_ existing: Participant, to given: ShareParticipant) throws -> Participant {
        var changed = existing
        guard existing.kind != .publicUser else { return changed }
        if given.permission != nil { changed.permission = try Self.permission(of: given) }
        if let kind = given.kind { changed.kind = try Self.kind(kind) }
        return changed
    }

    /// Nobody is looked up: who the server has is no matter of whoever invites. See ``Participant/isInvitation(of:recordName:)``.
    private func invited(_ given: ShareParticipant, _ makeID: () -> String) throws -> Participant {
        let lookup = given.lookupInfo ?? UserLookupInfo(userRecordName: given.userRecordName)
        let texts = [lookup.emailAddress, lookup.phoneNumber, lookup.userRecordName].compactMap { $0 }
        guard !texts.isEmpty, texts.allSatisfy({ 1...StoreLimits.nameLength ~= $0.utf8.count }) else {
            throw ErrorDictionary.badRequest(
                "a participant needs a userIdentity with a lookupInfo: emailAddress, phoneNumber or userRecordName, each up to 255 bytes"
            )
        }
        return Participant(
            id: makeID(), user: nil, lookup: lookup, kind: try Self.kind(given.kind ?? .user),
            acceptance: .invited, permission: try Self.permission(of: given))
    }

    private static func permission(of given: ShareParticipant) throws -> SharePermission {
        switch given.permission {
        case nil: return .readOnly
        case .readOnly?: return .readOnly
        case .readWrite?: return .readWrite
        case .none?, .unknown?:
            throw ErrorDictionary.badRequest("a participant's permission must be READ_ONLY or READ_WRITE")
        }
    }

    private static func kind(_ kind: ShareParticipant.Kind) throws -> ShareParticipant.Kind {
        guard kind == .user || kind == .administrator else {
            throw ErrorDictionary.badRequest("a participant's type must be USER or ADMINISTRATOR")
        }
        return kind
    }
}
