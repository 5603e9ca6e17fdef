import FolderControl

/// What is told of deletions that went before those that wait, without that anybody was asked.
struct UnaskedText {
    /// That they went.
    let fact: String
    /// The command that undoes them.
    let command: String
    /// What the command does.
    let effect: String

    /// - Parameters:
    ///   - since: When the first began, in milliseconds since 1970.
    ///   - isInZone: Whether records went, because their files were deleted here; else files, because their records were.
    init(_ count: Int, since: Int64, isInZone: Bool, in folder: String) {
        fact =
            "\(count) more went \(isInZone ? "from the zone" : "from this folder") before, unasked, from "
            + "\(WallClock.text(since)) on."
        // The history tells the second alone in which it took a file: the one before has them all.
        let before = WallClock.text((since / 1000 - 1) * 1000)
        command = "zonefolder restore \(ShellWord.quoted(folder)) --at \(ShellWord.quoted(before))"
        // What is deleted in the zone is kept there by nobody, and here within `history_own_bytes`.
        effect =
            "puts the files back as they were just before"
            + (isInZone
                ? ", as far as the history here has them; that of other devices may have the rest"
                : "; what is new since then stays")
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
