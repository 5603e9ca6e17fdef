package import CloudKitClient
package import CloudKitWire
package import RecordMapping
package import SyncModel
import SystemPackage

/// What the server refused, in words for people.
extension Problem {
    /// What the server refused of one file or record.
    /// - Parameter reason: The server's words.
    package static func refused(_ path: FolderPath, _ hold: Hold, _ subject: Hold.Subject, reason: String) -> Problem {
        let code: Code =
            switch hold {
            case .noPermission: .permissionDenied
            case .outOfStorage: .quotaExceeded
            case .tooLarge: .tooLarge
            case .tooManyReferences: .limitExceeded
            case .missingFromSchema: .schemaMissing
            case .brokenReference: .referenceRefused
            case .nameRefused: .nameIllegal
            case .untrusted: .serverUntrusted
            case .notUnique, .assetGone, .refused, .misconfigured, .serverFault: .serverRefused
            }
        return Problem(
            code, message: "\(path): \(hold.reason)\(said(reason))", remedy: hold.remedy(for: subject))
    }

    /// What a file refers to is not in the zone, or the server says so.
    /// - Parameters:
    ///   - missing: What is known not to be there.
    ///   - reason: The server's words, where it was asked.
    package static func referenceRefused(_ path: FolderPath, _ missing: [RequiredRecord], reason: String?) -> Problem {
        guard let first = missing.first else {
            return Problem(
                .referenceRefused, message: "\(path): the server refuses a reference in it.\(said(reason))",
                remedy: "Take the reference out, or see to the file that it names; this one is tried again by itself.")
        }
        let target = first.path?.description ?? "the record '\(first.name.rawValue)'"
        let others = Set(missing.map(\.name)).count - 1
        let besides = others == 0 ? "" : others == 1 ? " Nor is another one." : " Nor are \(others) others."
        return Problem(
            .referenceRefused,
            message:
                "\(path): \"\(first.key)\" refers to \(target), which is not in the zone.\(besides)\(said(reason))",
            remedy: "See to \(target), or take the reference out; this file goes through by itself then.")
    }

    /// A record that others keep from being deleted.
    /// - Parameter referrers: The files, or the records, that do so, as far as they are known.
    package static func deletionRefused(_ path: FolderPath, keptBy referrers: [String], reason: String) -> Problem {
        let (who, what) = subject(referrers)
        return Problem(
            .referenceRefused,
            message: "\(path) is deleted here, but its record stays in the zone, since \(who) to it.\(said(reason))",
            remedy: "Delete \(what) as well, or take the reference out; to keep the record, put the file back.")
    }

    /// A file whose record is to give way to one of another kind, and which others keep, or would be deleted with.
    /// - Parameter referrers: Their files, or the records, as far as they are known.
    package static func replacementRefused(_ path: FolderPath, keptBy referrers: [String], reason: String?) -> Problem {
        let (who, what) = subject(referrers)
        return Problem(
            .referenceRefused,
            message: "\(path) is to become a record of another kind, and \(who) to the one that it has.\(said(reason))",
            remedy: "See to \(what), or take the reference out; this file goes through by itself then.")
    }

    /// Who refers, with the verb, and how to name it in a remedy.
    private static func subject(_ referrers: [String]) -> (who: String, what: String) {
        switch referrers.count {
        case 0: ("another record refers", "what refers to it")
        case 1: ("\(referrers[0]) refers", "that file")
        case 2: ("\(referrers[0]) and \(referrers[1]) refer", "those files")
        default: ("\(referrers[0]) and \(referrers.count - 1) others refer", "those files")
        }
    }

    /// The server's own words, set off from ours.
    package static func said(_ reason: String?) -> String {
        guard let reason, !reason.isEmpty else { return "" }
        return " (\(reason))"
    }

    /// - Parameter reason: Names the server, and what is wrong, with the way out.
    package static func untrusted(_ reason: String) -> Problem {
        Problem(
            .serverUntrusted, message: reason,
            remedy: "Nothing is sent there meanwhile; edits are kept and go through once that is mended.")
    }

    package static func notShared(_ zone: ZoneID) -> Problem {
        Problem(
            .zoneVanished,
            message: "The zone '\(zone.zoneName)' of \(PersonText.owner(of: zone)) is not shared with this account "
                + "any more. All files are kept, nothing is sent.",
            remedy:
                "Ask its owner to share it again, and run `zonefolder accept` with the short GUID that they send; it "
                + "goes on by itself then.")
    }
}
