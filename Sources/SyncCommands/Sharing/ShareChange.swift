import ArgumentParser
import CloudKitWire
import ProblemSentences

/// What somebody may do who is invited.
enum GivenPermission: String, ExpressibleByArgument, CaseIterable {
    case readOnly = "read-only"
    case readWrite = "read-write"

    var permission: SharePermission { self == .readOnly ? .readOnly : .readWrite }
}

/// What everyone may do who has a short GUID.
enum PublicPermission: String, ExpressibleByArgument, CaseIterable {
    case none
    case readOnly = "read-only"
    case readWrite = "read-write"

    var permission: SharePermission {
        switch self {
        case .none: .none
        case .readOnly: .readOnly
        case .readWrite: .readWrite
        }
    }
}

/// A change of who takes part in a share.
struct ShareChange {
    var invite: [String] = []
    /// `nil`: whoever is new may read, and others go on with what they may.
    var allow: SharePermission?
    var remove: [String] = []
    /// `nil`: as it is.
    var open: SharePermission?

    /// What is to be saved. The list of participants is sent whole, so everyone who stays is in it; also where the public may
    /// do something else from now on: CloudKit takes back invitations then that nobody has followed yet, unless they are
    /// given again.
    /// - Throws: ``CommandFailure`` for somebody to take out who takes no part.
    func applied(to existing: RecordSharing?) throws -> RecordSharing {
        var sharing = RecordSharing()
        sharing.createShortGUID = existing == nil ? true : nil
        sharing.publicPermission = open
        let isOpenedAnew = existing != nil && open != nil && open != existing?.publicPermission
        guard !invite.isEmpty || !remove.isEmpty || isOpenedAnew else { return sharing }
        var participants = existing?.participants ?? []
        for address in remove {
            let index = participants.firstIndex { $0.kind != .owner && $0.isKnown(as: address) }
            guard let index else { throw CommandFailure.noParticipant(address) }
            participants.remove(at: index)
        }
        for address in invite {
            if let index = participants.firstIndex(where: { $0.isKnown(as: address) }) {
                participants[index].permission = allow ?? participants[index].permission
            } else {
                participants.append(
                    ShareParticipant(inviting: .init(of: address), permission: allow ?? .readOnly))
            }
        }
        sharing.participants = participants
        return sharing
    }
}

extension UserLookupInfo {
    /// A user record name begins with `_`, a phone number has no letters; all else is an address, or the name of a user
    /// of one's own server.
    init(of text: String) {
        if text.hasPrefix("_") {
            self.init(userRecordName: text)
        } else if text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-() .".utf8.contains($0) }) {
            self.init(phoneNumber: text)
        } else {
            self.init(emailAddress: text)
        }
    }
}

extension ShareParticipant {
    /// Whether the text is by what they were invited, or their user record name, or the name that the server shows.
    func isKnown(as text: String) -> Bool {
        let names = [
            lookupInfo?.emailAddress, lookupInfo?.phoneNumber, lookupInfo?.userRecordName, userRecordName, givenName,
            PersonText.name(given: givenName, family: familyName),
        ]
        return names.contains { $0.map { $0.utf8.elementsEqual(text.utf8) } ?? false }
    }
}
