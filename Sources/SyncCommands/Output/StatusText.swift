import FolderControl
import SyncService
import SystemPackage

/// A report as `status` shows it to people.
///
/// The first line is the verdict and why; then what is moving; then what waits for the person, each with its remedy; then the
/// facts, a line each.
struct StatusText {
    fileprivate var lines: [TextLine] = []

    /// - Parameter now: Milliseconds since 1970, from which ages are counted.
    /// - Parameter place: The working directory: where it is in the folder, commands need no path; `nil`: as if it were.
    /// - Parameter terminal: What it is shown on.
    static func text(
        of report: StatusReport, now: Int64, in place: FilePath? = nil, for terminal: Terminal = .none
    ) -> String {
        lines(of: report, now: now, in: place).flatMap { $0.rendered(for: terminal) }.joined(separator: "\n")
    }

    /// The same before it is broken and coloured.
    static func lines(of report: StatusReport, now: Int64, in place: FilePath? = nil) -> [TextLine] {
        var text = StatusText()
        let verdict = report.verdict.rawValue
        text.lines.append(
            TextLine(
                "\(verdict): \(report.reason)", hang: verdict.count + 2, paint: Paint(verdict: report.verdict),
                over: verdict.count))
        text.lines.append("")
        text.addWork(report)
        text.addAttention(report)
        if text.lines.contains(where: { $0.text.contains("→ ") && $0.text.contains("zonefolder ") }) {
            text.lines += FolderHint.lines(for: report.folder, in: place)
        }
        if text.lines.count > 2 { text.lines.append("") }
        text.addFacts(report, now: now)
        text.addUnfit(report.unfit ?? [])
        return text.lines
    }

    /// The one line that `status --watch` and progress show.
    static func line(of report: StatusReport) -> String {
        guard let progress = report.progress, progress.filesTotal > 0 else {
            return "\(report.verdict.rawValue): \(report.reason)"
        }
        return "\(report.verdict.rawValue): \(amount(progress))"
    }

    /// `3 of 10 files, 1.5 MB of 20 MB, 2.1 MB/s, 9 s left`.
    static func amount(_ progress: StatusReport.Progress) -> String {
        let files = "\(progress.filesDone) of \(Amounts.count(progress.filesTotal, "file"))"
        let bytes =
            progress.bytesTotal > 0
            ? [Amounts.bytes(progress.bytesDone) + " of " + Amounts.bytes(progress.bytesTotal)] : []
        return ([files] + bytes + TransferPace(of: progress).words).joined(separator: ", ")
    }

    private mutating func add(_ name: String, _ value: String) {
        let start = name + String(repeating: " ", count: max(1, 11 - name.count))
        lines.append(TextLine(start + value, hang: 11, paint: .dim, over: start.count))
    }

    /// A line that begins what is told in those below it.
    fileprivate mutating func addHeading(_ text: String) {
        if lines.last?.text.isEmpty == false { lines.append("") }
        lines.append(TextLine(text, hang: 0, paint: .bold))
    }

    private mutating func add(_ text: String, remedy: String) {
        lines.append(TextLine("  " + text))
        lines.append(TextLine("    → \(remedy)", hang: 6, paint: .cyan, over: 5))
    }

    private mutating func addFacts(_ report: StatusReport, now: Int64) {
        add("folder", report.folder)
        add("zone", "\(report.zone) in \(report.container) (\(report.environment), \(report.database))")
        add("server", report.server)
        if let network = report.network { addNetwork(network, now: now) }
        add(
            "account",
            ([report.account.name ?? report.account.userRecordName].compactMap(\.self) + [report.account.spokenStatus])
                .joined(separator: ", "))
        if let remedy = report.account.remedy { add("", "→ \(remedy)") }
        if let daemon = report.daemon {
            add("daemon", "process \(daemon.pid), started \(Amounts.age(of: daemon.startedMilliseconds, now: now))")
        } else {
            add("daemon", "not running")
            add("", "→ zonefolder start \(ShellWord.quoted(report.folder))")
        }
        if let pause = report.pause {
            add(
                "paused",
                "since \(WallClock.text(pause.sinceMilliseconds)), "
                    + PauseText.end(pause.untilMilliseconds, now: now))
            add("", "→ \(PauseText.remedy(of: report.folder))")
        }
        add("fetched", Amounts.age(of: report.lastFetchMilliseconds, now: now))
        add("sent", Amounts.age(of: report.lastPushMilliseconds, now: now))
        if let reason = report.withoutPush { add("without push:", reason) }
        add("looked", Amounts.age(of: report.lastLookMilliseconds, now: now) + " at the whole folder")
        add("records", "\(report.records)")
        if let watch = report.watch {
            let unwatched = watch.unwatched == 0 ? "" : ", \(watch.unwatched) unwatched"
            add("watched", Amounts.count(watch.directories, "directory", "directories") + unwatched)
            if let remedy = watch.remedy { add("", "→ \(remedy)") }
        }
    }

    private mutating func addNetwork(_ network: StatusReport.Network, now: Int64) {
        switch (network.isReachable, network.cause) {
        case (true, nil): add("network", "reachable")
        case (true, let cause?): add("network", "reachable, but asked to wait: \(cause)")
        case (false, let cause):
            let span = Amounts.span(now - (network.sinceMilliseconds ?? now))
            add("network", "no answer for \(span)\(cause.map { ": \($0)" } ?? "")")
        }
        guard let next = network.nextTryMilliseconds else { return }
        add("", "→ tried again \(Amounts.wait(until: next, now: now))")
    }

    private mutating func addWork(_ report: StatusReport) {
        if let progress = report.progress { add("moving", Self.amount(progress)) }
        let waiting = [
            (report.pending.uploads, "upload"), (report.pending.downloads, "download"),
            (report.pending.deletions, "deletion"),
        ].filter { $0.0 > 0 }.map { Amounts.count($0.0, $0.1) }
        let unseen = report.pending.unseen ?? 0
        let looks = unseen > 0 ? [Amounts.count(unseen, "file") + " to be looked at"] : []
        if !(waiting + looks).isEmpty { add("waiting", (waiting + looks).joined(separator: ", ")) }
    }

    private mutating func addFiles(_ files: [StatusReport.Held], as heading: String) {
        guard !files.isEmpty else { return }
        let place = files.count == 1 ? "safe where it is" : "safe where they are"
        addHeading("\(heading): \(Amounts.count(files.count, "file")), \(place)")
        for held in files { add(held.message, remedy: held.remedy) }
    }

    private mutating func addAttention(_ report: StatusReport) {
        if let approval = report.approval {
            let place = approval.side == "folder" ? "in the folder" : "in the zone"
            addHeading("Waits for approval: \(Amounts.count(approval.deletions, "deletion")) \(place).")
            if let count = approval.elsewhere, count > 0 {
                let part = count == approval.deletions ? "Each" : "\(count)"
                let verb = count == approval.deletions ? "is" : "are"
                lines.append(
                    TextLine("  \(part) of them \(verb) equal to a file that stays in this folder, as after a move."))
            }
            let unasked = UnaskedText(approval, in: report.folder)
            if let unasked { lines.append(TextLine("  \(unasked.fact)")) }
            lines.append(
                TextLine(
                    "  → zonefolder plan shows them; zonefolder approve \(approval.batch) lets them pass", hang: 4,
                    paint: .cyan, over: 3))
            lines.append(
                TextLine(
                    "  → zonefolder reject \(approval.batch) puts back what they would take", hang: 4, paint: .cyan,
                    over: 3))
            if let unasked {
                lines.append(
                    TextLine("  → \(unasked.command) \(unasked.effect)", hang: 4, paint: .cyan, over: 3))
            }
        }
        let whole = report.held.filter(\.path.isEmpty)
        if !whole.isEmpty { addHeading("The folder as a whole waits:") }
        for held in whole { add(held.message, remedy: held.remedy) }
        let files = report.held.filter { !$0.path.isEmpty }
        addFiles(files.filter { !$0.isRemark }, as: "Held")
        addFiles(files.filter(\.isRemark), as: "Not synced")
        if let notices = report.notices, !notices.isEmpty {
            addHeading("Not as it should be:")
            for notice in notices { add(notice.message, remedy: notice.remedy) }
        }
        if !report.conflicts.isEmpty {
            addHeading("Conflicts: \(report.conflicts.count)")
            lines += report.conflicts.flatMap { ConflictText.lines(of: $0).map { TextLine("  " + $0) } }
        }
    }
}

extension StatusText {
    /// More of them would hide what waits for a person; `--json` has all.
    private static let longestList = 10

    /// Files that are synced as plain ones, because they fit no structured record.
    fileprivate mutating func addUnfit(_ unfit: [StatusReport.Held]) {
        guard !unfit.isEmpty else { return }
        addHeading(
            "Synced as plain files: \(Amounts.count(unfit.count, "file")) that \(unfit.count == 1 ? "fits" : "fit") no record"
        )
        for file in unfit.prefix(Self.longestList) { lines.append(TextLine("  " + file.message)) }
        let left = unfit.count - Self.longestList
        if left > 0 { lines.append(TextLine("  and \(left) more; zonefolder status --json names all")) }
    }
}

extension StatusReport.Account {
    /// The status in words, where it is none itself.
    fileprivate var spokenStatus: String {
        switch status {
        case "noAccount": "signed out"
        case "couldNotDetermine": "cannot be told now"
        case "temporarilyUnavailable": "unavailable for now"
        default: status
        }
    }
}

/// A conflict as `status` and `conflicts` show it.
enum ConflictText {
    static func lines(of conflict: StatusReport.Conflict) -> [String] {
        let fields = conflict.fields.isEmpty ? "" : " (\(conflict.fields.joined(separator: ", ")))"
        return [
            "\(conflict.path)\(fields)",
            "  \(whose(conflict)): \(conflict.copy)",
            "  → \(remedy(conflict.path))",
        ]
    }

    /// The way out.
    static func remedy(_ path: String) -> String {
        "zonefolder resolve \(ShellWord.path(path)) --mine, --theirs or --edit"
    }

    /// Whose version the copy is.
    static func whose(_ conflict: StatusReport.Conflict) -> String {
        conflict.holdsZoneVersion ? "the zone's version" : "your version"
    }
}
