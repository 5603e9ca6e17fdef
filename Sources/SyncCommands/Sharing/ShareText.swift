import CloudKitWire
import ProblemSentences

/// A share for people: what everyone may do, then a line for each participant.
enum ShareText {
    static func lines(of share: Record) -> [String] {
        guard let sharing = share.sharing else { return [] }
        let everyone =
            switch sharing.publicPermission {
            case .readOnly?: "Everyone who has the short GUID may read it."
            case .readWrite?: "Everyone who has the short GUID may read and change it."
            case .unknown?: "What everyone may do is not known to this version."
            case SharePermission.none?, nil: "Only those who are invited may read it."
            }
        return [everyone] + (sharing.participants ?? []).map { "    \(Table.oneLine(line(of: $0)))" }
    }

    /// What those may do besides who may change a record that is shared alone.
    static func addedFiles(besides record: String) -> String {
        """

        Who may change '\(record)' may also put new files below it, and they come to any place of your folder. In its \
        .zonefolderignore nothing is changed that way.
        """
    }

    private static func line(of participant: ShareParticipant) -> String {
        let known = name(participant.lookupInfo, participant.givenName, participant.familyName)
        let userRecordName = participant.userRecordName ?? participant.lookupInfo?.userRecordName
        guard participant.kind != .owner else {
            return "\(known ?? userRecordName.map(PersonText.somebody) ?? "somebody"): the owner"
        }
        // Whole: who has no other name here is taken out by this one.
        let name = known ?? userRecordName.map { "somebody (\($0))" } ?? "somebody"
        let may = words(of: participant.permission)
        return participant.acceptance == .accepted ? "\(name): \(may)" : "\(name): \(may), has not accepted yet"
    }

    /// By what somebody was invited, as that is by what they are taken out again; else how they are called.
    private static func name(_ lookup: UserLookupInfo?, _ given: String?, _ family: String?) -> String? {
        lookup?.emailAddress ?? lookup?.phoneNumber ?? PersonText.name(given: given, family: family)
    }

    /// Who shares something, as far as the server tells it to somebody who looks at a share.
    static func owner(of share: ShareMetadata) -> String {
        let owner = share.ownerIdentity
        return owner.flatMap { PersonText.name(given: $0.givenName, family: $0.familyName) }
            ?? owner?.lookupInfo?.emailAddress ?? owner?.lookupInfo?.phoneNumber
            ?? (share.zoneID.ownerRecordName ?? owner?.userRecordName).map(PersonText.somebody) ?? "somebody"
    }

    /// What somebody may do, in words that follow a name.
    static func words(of permission: SharePermission?) -> String {
        switch permission {
        case .readWrite?: "reads and changes"
        case .readOnly?: "reads only"
        case SharePermission.none?: "may do nothing"
        case .unknown?, nil: "takes part"
        }
    }
}
