import FolderSettings
package import FolderWriting
package import LocalFolder
package import SyncModel
import SystemPackage

/// What is wrong in the folder or on its disk, in words for people.
extension Problem {
    package static func unreadable(_ path: FolderPath, reason: String, isForLackOfDescriptors: Bool = false) -> Problem
    {
        Problem(
            .unreadable, message: "\(path) cannot be read: \(reason).",
            remedy: isForLackOfDescriptors
                ? tooManyOpenFiles : "Give the user who runs zonefolder the right to read it.")
    }

    package static func skipped(_ path: FolderPath, _ reason: SkippedPath.Reason) -> Problem {
        Problem(
            .skippedSpecialFile, message: "\(path) is \(reason.words) and is not synced.",
            remedy: "\(reason.wayIn), or name it in \(IgnoreRules.fileName).")
    }

    /// Something stands where a file belongs, or where directories of such files would.
    /// - Parameter isAgreed: Whether it is a file that both sides had at the path itself.
    package static func obstructed(_ path: FolderPath, _ reason: SkippedPath.Reason, isAgreed: Bool) -> Problem {
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
    package static func leftOut(_ path: FolderPath, by rule: IgnoreRule, isInZone: Bool) -> Problem {
        let kept = isInZone ? " What the zone has of it stays there, and is not brought here." : ""
        return Problem(
            .leftOut, message: "\(path) is not synced: \(rule.reason ?? rule.text).\(kept)",
            remedy: path.isReserved
                ? "Give it another name if it is to be synced."
                : "If it is to be synced all the same, put the line !\(rule.text) into \(IgnoreRules.fileName); the line "
                    + "\(rule.text) ends this remark.")
    }

    /// - Parameter lines: Of the file of ignore rules, from 1, at least one.
    package static func invalidRules(inLines lines: [Int]) -> Problem {
        let named = lines.prefix(10).map { "\($0)" }.joined(separator: ", ")
        let others = lines.count > 10 ? " and \(lines.count - 10) more" : ""
        return Problem(
            .invalidRule,
            message: "\(IgnoreRules.fileName) has lines that are no patterns and match nothing: \(named)\(others).",
            remedy:
                "Close the bracket that is open there, or put a backslash before it. A lone backslash ends no line.",
            line: lines.first)
    }

    /// - Parameter files: Where they lie, and which paths the zone has of them; at least one.
    package static func namesTaken(of files: [(shown: FolderPath, claimed: FolderPath)]) -> Problem {
        let named = files.prefix(3).map { "\($0.shown) (\($0.claimed) in the zone)" }.joined(separator: ", ")
        let others = files.count > 3 ? " and \(files.count - 3) more" : ""
        return Problem(
            .nameTaken,
            message: "Two things have one name, and one of them has a longer name here: \(named)\(others).",
            remedy: "Rename either as you like; all devices follow.")
    }

    /// Of a file that names it as its asset.
    package static func attachedElsewhere(_ path: FolderPath) -> Problem {
        Problem(
            .nameTaken, message: "\(path) names a file that others have in the zone as well, with other bytes.",
            remedy: "Wait for some seconds: who attached it is likely to take the others away.")
    }

    package static func blocked(_ path: FolderPath, _ reason: BlockedReason) -> Problem {
        let remedy =
            switch reason {
            case .otherCase, .unnameable: "Once it has another name it is written by itself."
            case .otherDirectory:
                "Give either directory another name, or move all of the files in one of them into the other one; either can be "
                    + "done on any device, and the rest goes on by itself then."
            default: "Move what stands in the way; the record is written by itself then."
            }
        return Problem(.pathBlocked, message: "\(path) cannot be written: \(reason)", remedy: remedy)
    }

    package static func heldInPlace(_ path: FolderPath, _ target: FolderPath) -> Problem {
        Problem(
            .pathBlocked,
            message: "\(path) cannot be moved to \(target), its place in the zone: a file is there that is not synced.",
            remedy: "See to that file, or move it aside; the rest goes on by itself then.")
    }

    package static func cannotWrite(_ path: FolderPath, _ error: FolderError) -> Problem {
        let remedy =
            switch error.code {
            case .noSpace: "Free some space; it goes on by itself then."
            case .tooManyOpenFiles: tooManyOpenFiles
            case .nameTooLong: "Shorten its name, or those of the directories above it; it is written by itself then."
            case .readOnly: "Mount the disk writable; it goes on by itself then."
            case .inputOutput: "Look at the disk and at the system's log; it is tried again by itself."
            default: "See to the folder's permissions."
            }
        return Problem(
            error.code == .noSpace ? .diskFull : .pathBlocked, message: "\(path) cannot be written: \(error.message)",
            remedy: remedy)
    }

    package static func diskAlmostFull(_ path: FolderPath) -> Problem {
        Problem(
            .diskFull, message: "\(path) is not received: the folder's disk would be left with too little space.",
            remedy: "Make room on the disk, or keep less of earlier versions (`history_bytes`); it goes on then.")
    }

    package static func stateUnusable(_ error: any Error) -> Problem {
        let isFull = (error as? StateError)?.code == .diskFull || (error as? FolderError)?.code == .noSpace
        return Problem(
            isFull ? .diskFull : .pathBlocked, message: "The folder's state cannot be stored: \(error)",
            remedy: isFull
                ? "Make room on the disk; it goes on by itself then."
                : "See to the disk and to the permissions; it is tried again by itself.")
    }

    /// - Parameter reason: What could not be read or written, and why.
    package static func signInNotKept(_ reason: String) -> Problem {
        Problem(
            .pathBlocked, message: reason,
            remedy: "See to the disk and to the permissions; it is tried again by itself.")
    }

    package static func notDurable(_ path: FolderPath, _ error: FolderError) -> Problem {
        Problem(
            error.code == .noSpace ? .diskFull : .pathBlocked,
            message: "\(path) is not sent, for the disk cannot keep it: \(error.message)",
            remedy: error.code == .noSpace
                ? "Free some space; it goes on by itself then." : "See to the disk; it is tried again by itself.")
    }

    package static func folderVanished(_ path: String) -> Problem {
        Problem(
            .unreadable, message: "\(path) is not the folder that was synced: it was moved or unmounted.",
            remedy: "Put it back or mount it; nothing is deleted meanwhile.")
    }

    package static func folderReplaced(_ path: String) -> Problem {
        Problem(
            .unreadable, message: "\(path) is another directory than the one that was synced.",
            remedy: "Put that one back; nothing is deleted meanwhile. Where this is to be synced as it is, run "
                + "`zonefolder stop` and `zonefolder start`.")
    }

    package static func folderUnreadable(_ error: FolderError) -> Problem {
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
    package var words: String {
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

    /// What a person does to have synced what is there.
    fileprivate var wayIn: String {
        switch self {
        case .symlink, .fifo, .socket, .device, .directory: "Put a regular file in its place"
        case .otherFileSystem: "Sync it as a folder of its own"
        case .pathTooLong: "Move it to a place with a shorter path"
        }
    }
}
