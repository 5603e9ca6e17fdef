import LocalFolder
package import SyncModel

/// Ignore rules that others wrote, or that are of one device alone, in words for people.
extension Problem {
    /// - Parameters:
    ///   - path: Where they are shown.
    ///   - isOthersFolder: Whether the zone is somebody else's: then it is for its owner to do something.
    package static func rulesSetAside(_ path: FolderPath, isOthersFolder: Bool) -> Problem {
        let message =
            "\(path) was to be \(IgnoreRules.fileName): it came through the share of a single record, so its lines are not "
            + "obeyed."
        return isOthersFolder
            ? Problem(
                .leftOut, message: message, remedy: "Nothing is to be done; your own \(IgnoreRules.fileName) holds.")
            : Problem(
                .foreignRules, message: message,
                remedy: "Delete it, or give it another name; lines that you want, copy into \(IgnoreRules.fileName).")
    }

    /// Of a folder that has single records of somebody else's zone.
    package static func rulesStayHere() -> Problem {
        Problem(
            .leftOut,
            message:
                "\(IgnoreRules.fileName) holds on this device alone: through the share of a single record no rules go.",
            remedy: "Copy it into your other folders of this zone, where it is to hold there as well.")
    }

    /// - Parameters:
    ///   - user: Who wrote them last, by their user record name.
    ///   - files: How many files of the zone they leave out, at least one.
    package static func rulesOfOthers(by user: String, files: Int) -> Problem {
        let what = files == 1 ? "one file of the zone, which is" : "\(files) files of the zone, which are"
        return Problem(
            .leftOut,
            message:
                "\(IgnoreRules.fileName), as somebody else (\(user)) wrote it last, leaves out \(what) not synced here.",
            remedy:
                "To sync them, take its lines back; `zonefolder history \(IgnoreRules.fileName)` lists earlier ones.")
    }
}
