import CloudKitClient
import CloudKitWire
import LocalFolder
import RecordMapping
import StateStorage
import SyncModel
import SystemPackage

/// The problems that a session finds, in words for people: what is wrong, and the way out.
extension Problem {
    /// What the mapping says of a file.
    /// - Parameter line: Where the key is that the problem is about.
    init(_ problem: MappingProblem, in path: FolderPath, line: Int? = nil) {
        let isOfTheText = problem.line != nil
        let code: Code =
            switch problem.code {
            case .brokenJSON: .brokenJSON
            case .duplicateKey: .duplicateKey
            case .numberOutOfRange: .numberOutOfRange
            case .missingTarget: .referenceRefused
            case .wrongType, .illegalValue, .illegalAssetPath, .foreignType: .wrongType
            }
        // The text of a problem of the JSON itself has its line and column already.
        let place = isOfTheText ? "" : (line ?? problem.line).map { ", line \($0)" } ?? ""
        self.init(
            code, message: "\(path)\(place): \(problem.message)",
            remedy: "Mend the file; it goes through by itself then.", line: problem.line ?? line)
    }

    /// A file record whose bytes a structured record could hold as well.
    static func plainInZone(_ path: FolderPath) -> Problem {
        Problem(
            .plainInZone, message: "\(path): its record in the zone is that of a plain file.",
            remedy: "Edit the file; it becomes a structured record by itself then.")
    }

    static func requiredFieldMissing(_ key: String, in path: FolderPath, recordType: String) -> Problem {
        Problem(
            .requiredFieldMissing,
            message: "\(path): \"\(key)\" is missing or empty, and config.toml requires it of \(recordType).",
            remedy: "Fill it in; the file goes through by itself then.")
    }

    /// The zone has another type for a field, and the server does not say which one.
    static func typeClash(_ path: FolderPath, reason: String) -> Problem {
        Problem(
            .wrongType, message: "\(path): the zone has another type for one of its fields (\(reason)).",
            remedy: "Mend the file; it goes through by itself then.")
    }

    static func unreadable(_ path: FolderPath, reason: String, isForLackOfDescriptors: Bool = false) -> Problem {
        Problem(
            .unreadable, message: "\(path) cannot be read: \(reason).",
            remedy: isForLackOfDescriptors
                ? tooManyOpenFiles : "Give the user who runs zonefolder the right to read it.")
    }

    static func skipped(_ path: FolderPath, _ reason: SkippedPath.Reason) -> Problem {
        Problem(
            .skippedSpecialFile, message: "\(path) is \(reason.words) and is not synced.",
            remedy: "Put a regular file in its place, or name it in \(IgnoreRules.fileName).")
    }

    /// Something stands where a file belongs, or where directories of such files would.
    /// - Parameter isAgreed: Whether it is a file that both sides had at the path itself.
    static func obstructed(_ path: FolderPath, _ reason: SkippedPath.Reason, isAgreed: Bool) -> Problem {
        isAgreed
            ? Problem(
                .pathBlocked, message: "\(path) is \(reason.words), where a file is synced.",
                remedy:
                    "Put the file back in its place. Or take away what is there: what others did to the file comes by "
                    + "itself then; if nobody did anything, that counts as deleting it.")
            : Problem(
                .pathBlocked, message: "\(path) is \(reason.words), where files of the zone belong.",
                remedy: "Take away what is there; what belongs there goes on by itself then.")
    }

    /// - Parameter isInZone: Whether the zone has it all the same: from another device, or from before.
    static func leftOut(_ path: FolderPath, by rule: IgnoreRule, isInZone: Bool) -> Problem {
        let kept = isInZone ? " What the zone has of it stays there, and is not brought here." : ""
        return Problem(
            .leftOut, message: "\(path) is not synced: \(rule.reason ?? rule.text).\(kept)",
            remedy: path.isReserved
                ? "Give it another name if it is to be synced."
                : "If it is to be synced all the same, put the line !\(rule.text) into \(IgnoreRules.fileName); the line "
                    + "\(rule.text) ends this remark.")
    }

    static func tooLarge(_ path: FolderPath, size: Int64, limit: Int64) -> Problem {
        Problem(
            .tooLarge, message: "\(path) has \(size) bytes; the limit is \(limit).",
            remedy: "Make it smaller, or name it in \(IgnoreRules.fileName).")
    }

    static func missingAsset(field: String, path: FolderPath, of file: FolderPath) -> Problem {
        Problem(
            .missingAsset, message: "\(file): the field '\(field)' names \(path), which is not there.",
            remedy: "Put the file there, or take the field out.")
    }

    static func recordTooLarge(_ path: FolderPath, size: Int, limit: Int) -> Problem {
        Problem(
            .tooLarge, message: "\(path) makes a record of \(size) bytes; the limit is \(limit).",
            remedy: "Make it smaller, or put long values into files of their own that it names as assets.")
    }

    /// Other devices would not get the file as it is written, because its record cannot carry hints.
    static func lossy(
        _ path: FolderPath, _ losses: [StructuredDraft.Loss], recordType: String, _ configuration: FolderConfiguration
    ) -> Problem {
        let what =
            switch losses.first {
            case .path: "where it lies"
            case .key(let key): "the key \"\(key)\", which is no field name,"
            case .value(let key): "the value of \"\(key)\", which CloudKit has no type for,"
            case nil: "it"
            }
        let gap = SchemaGap(recordType: recordType, field: RecordHints.fieldName, fieldType: "STRING")
        return Problem(
            .schemaMissing,
            message: "\(path): \(what) cannot be kept, because the container's schema in "
                + "\(configuration.environment.rawValue) lacks \(gap.text).",
            remedy: gap.remedy(configuration))
    }

    /// - Parameter reason: The server's words, where it was asked.
    static func missing(
        _ gap: SchemaGap, for path: FolderPath, reason: String? = nil, _ configuration: FolderConfiguration
    ) -> Problem {
        Problem(
            .schemaMissing,
            message: "\(path): the schema of \(configuration.container) in \(configuration.environment.rawValue) lacks "
                + "\(gap.text).\(said(reason))",
            remedy: gap.remedy(configuration))
    }

    static func blocked(_ path: FolderPath, _ reason: BlockedReason) -> Problem {
        Problem(
            .pathBlocked, message: "\(path) cannot be written: \(reason)",
            remedy: "Move what stands in the way; the record is written by itself then.")
    }

    static func cannotWrite(_ path: FolderPath, _ error: FolderError) -> Problem {
        let remedy =
            switch error.code {
            case .noSpace: "Free some space; it goes on by itself then."
            case .tooManyOpenFiles: tooManyOpenFiles
            case .readOnly: "Mount the disk writable; it goes on by itself then."
            case .inputOutput: "Look at the disk and at the system's log; it is tried again by itself."
            default: "See to the folder's permissions."
            }
        return Problem(
            error.code == .noSpace ? .diskFull : .pathBlocked, message: "\(path) cannot be written: \(error.message)",
            remedy: remedy)
    }

    static func diskAlmostFull(_ path: FolderPath) -> Problem {
        Problem(
            .diskFull, message: "\(path) is not received: the folder's disk would be left with too little space.",
            remedy: "Make room on the disk; it goes on by itself then.")
    }

    static func stateUnusable(_ error: any Error) -> Problem {
        let isFull = (error as? StateError)?.code == .diskFull || (error as? FolderError)?.errno == .noSpace
        return Problem(
            isFull ? .diskFull : .pathBlocked, message: "The folder's state cannot be stored: \(error)",
            remedy: isFull
                ? "Make room on the disk; it goes on by itself then."
                : "See to the disk and to the permissions; it is tried again by itself.")
    }

    static func notDurable(_ path: FolderPath, _ error: FolderError) -> Problem {
        Problem(
            error.errno == .noSpace ? .diskFull : .pathBlocked,
            message: "\(path) is not sent, for the disk cannot keep it: \(error.message)",
            remedy: error.errno == .noSpace
                ? "Free some space; it goes on by itself then." : "See to the disk; it is tried again by itself.")
    }

    /// What the server refused of one file or record.
    /// - Parameter reason: The server's words.
    static func refused(_ path: FolderPath, _ hold: Hold, _ subject: Hold.Subject, reason: String) -> Problem {
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

    /// What the server refused that is about no file.
    /// - Parameters:
    ///   - key: What was asked for.
    ///   - reason: The server's words.
    static func refused(_ hold: Hold, asking key: RetryKey, zone: String, reason: String?) -> Problem {
        let what =
            switch key {
            case .zone: "The zone '\(zone)' cannot be made."
            case .zoneChanges: "What changed in the zone '\(zone)' cannot be read."
            case .databaseChanges: "Which zones changed cannot be read."
            case .account, .subscription, .state, .record, .path: "The zone '\(zone)' cannot be used as it should be."
            }
        return Problem(
            .serverRefused, message: "\(what) \(hold.reason)\(said(reason))", remedy: hold.remedy(for: .request))
    }

    /// What a file refers to is not in the zone, or the server says so.
    /// - Parameters:
    ///   - missing: What is known not to be there.
    ///   - reason: The server's words, where it was asked.
    static func referenceRefused(_ path: FolderPath, _ missing: [RequiredRecord], reason: String?) -> Problem {
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
    static func deletionRefused(_ path: FolderPath, keptBy referrers: [String], reason: String) -> Problem {
        let (who, what) = subject(referrers)
        return Problem(
            .referenceRefused,
            message: "\(path) is deleted here, but its record stays in the zone, since \(who) to it.\(said(reason))",
            remedy: "Delete \(what) as well, or take the reference out; to keep the record, put the file back.")
    }

    /// A file whose record is to give way to one of another kind, and which others keep, or would be deleted with.
    /// - Parameter referrers: Their files, or the records, as far as they are known.
    static func replacementRefused(_ path: FolderPath, keptBy referrers: [String], reason: String?) -> Problem {
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
    private static func said(_ reason: String?) -> String {
        guard let reason, !reason.isEmpty else { return "" }
        return " (\(reason))"
    }

    /// - Parameter reason: Names the server, and what is wrong, with the way out.
    static func untrusted(_ reason: String) -> Problem {
        Problem(
            .serverUntrusted, message: reason,
            remedy: "Nothing is sent there meanwhile; edits are kept and go through once that is mended.")
    }

    static func notShared(_ zone: ZoneID) -> Problem {
        Problem(
            .zoneVanished,
            message: "The zone '\(zone.zoneName)' of \(zone.ownerRecordName ?? "its owner") is not shared with this "
                + "account any more. All files are kept, nothing is sent.",
            remedy: "Ask its owner to share it again; it goes on by itself then.")
    }

    static func folderVanished(_ path: String) -> Problem {
        Problem(
            .unreadable, message: "\(path) is not the folder that was synced: it was moved, unmounted or replaced.",
            remedy: "Put it back or mount it; nothing is deleted meanwhile.")
    }

    static func folderUnreadable(_ error: FolderError) -> Problem {
        Problem(
            .unreadable, message: error.message,
            remedy: error.code == .tooManyOpenFiles
                ? tooManyOpenFiles : "See to the folder's permissions and to the disk.")
    }

    private static let tooManyOpenFiles =
        "It goes on by itself; raise the limit of open files (`ulimit -n`) if it stays."
}

extension SkippedPath.Reason {
    /// What stands there, as it goes after "is".
    var words: String {
        switch self {
        case .symlink: "a symbolic link"
        case .fifo: "a fifo"
        case .socket: "a socket"
        case .device: "a device"
        case .otherFileSystem: "on another file system"
        case .pathTooLong: "deeper than a path can be long"
        case .directory: "a directory"
        }
    }
}
