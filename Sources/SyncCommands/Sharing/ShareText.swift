import CloudKitWire

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

    private static func line(of participant: ShareParticipant) -> String {
        let lookup = participant.lookupInfo
        let name =
            lookup?.emailAddress ?? lookup?.phoneNumber ?? participant.givenName ?? participant.userRecordName
            ?? lookup?.userRecordName ?? "somebody"
        guard participant.kind != .owner else { return "\(name): the owner" }
        let may = words(of: participant.permission)
        return participant.acceptance == .accepted ? "\(name): \(may)" : "\(name): \(may), has not accepted yet"
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
