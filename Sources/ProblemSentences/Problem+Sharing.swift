package import SyncModel

extension Problem {
    /// - Parameter reason: Why the server says so, where it was asked.
    package static func notWritable(
        _ path: FolderPath, zone: String, isDeletion: Bool, reason: String? = nil
    ) -> Problem {
        let what = isDeletion ? "its deletion stays here: the record is kept" : "this version stays here"
        return Problem(
            .permissionDenied,
            message: reason.map {
                "\(path): the zone '\(zone)' is shared with you, but not for this change (\($0)), so \(what)."
            } ?? "\(path): the zone '\(zone)' is shared with you read-only, so \(what).",
            remedy: "Ask its owner for write access; it goes through by itself then.")
    }

    /// A new file in a zone of which only a part is shared. No server says why it refuses such a record; where others may be made,
    /// its name is the reason.
    package static func nameOutOfSight(_ path: FolderPath, zone: String) -> Problem {
        Problem(
            .permissionDenied,
            message: "\(path): only a part of the zone '\(zone)' is shared with you, and a record outside of that part "
                + "seems to have this name already, so this file stays here.",
            remedy: "Give the file another name; it goes through by itself then.")
    }
}
