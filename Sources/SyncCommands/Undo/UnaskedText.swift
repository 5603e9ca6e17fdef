import FolderControl

/// What is told of deletions that went just before those that wait, without that anybody was asked.
struct UnaskedText {
    /// That they went.
    let fact: String
    /// The command that undoes them.
    let command: String
    /// What the command does.
    let effect: String

    /// - Parameters:
    ///   - since: The history took them then or later, in milliseconds since 1970.
    ///   - isInZone: Whether records went, because their files were deleted here; else files, because their records were.
    init(_ count: Int, since: Int64, isInZone: Bool, in folder: String) {
        fact =
            "\(count) more went \(isInZone ? "from the zone" : "from this folder") just before, unasked, from "
            + "\(WallClock.text(since)) on."
        command = Self.command(since: since, in: folder)
        // What is deleted in the zone is kept there by nobody, and here within `history_own_bytes`.
        effect =
            "puts back what went since then and is gone, and changes no file that is there"
            + (isInZone ? "; what the history here does not have, that of another device may" : "")
    }

    /// Brings back what was deleted since a moment, and nothing else.
    static func command(since: Int64, in folder: String) -> String {
        "zonefolder restore \(ShellWord.quoted(folder)) --deleted-since \(ShellWord.quoted(WallClock.text(since)))"
    }

    /// One paragraph.
    var sentences: String { "\(fact) `\(command)` \(effect)." }
}

extension UnaskedText {
    /// `nil` where none went, or the daemon is too old to tell.
    init?(_ approval: StatusReport.Approval, in folder: String) {
        guard let count = approval.unasked, count > 0, let since = approval.unaskedSinceMilliseconds else { return nil }
        self.init(count, since: since, isInZone: approval.side == "zone", in: folder)
    }
}
