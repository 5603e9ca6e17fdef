import SyncEngine

/// A report as `status` shows it to people.
///
/// The first line is the verdict and why; then the facts, a line each; then what waits for the person, each with its
/// remedy.
struct StatusText {
    fileprivate var lines: [String] = []

    /// - Parameter now: Milliseconds since 1970, from which ages are counted.
    static func text(of report: StatusReport, now: Int64) -> String {
        var text = StatusText()
        text.lines.append("\(report.verdict.rawValue): \(report.reason)")
        text.lines.append("")
        text.addFacts(report, now: now)
        text.addWork(report)
        text.addAttention(report)
        text.addUnfit(report.unfit ?? [])
        return text.lines.joined(separator: "\n")
    }

    /// The one line that `status --watch` and progress show.
    static func line(of report: StatusReport) -> String {
        guard let progress = report.progress, progress.filesTotal > 0 else {
            return "\(report.verdict.rawValue): \(report.reason)"
        }
        return "\(report.verdict.rawValue): \(amount(progress))"
    }

    /// `3 of 10 files, 1.5 of 20 MB`.
    static func amount(_ progress: StatusReport.Progress) -> String {
        let files = "\(progress.filesDone) of \(Amounts.count(progress.filesTotal, "file"))"
        guard progress.bytesTotal > 0 else { return files }
        return "\(files), \(Amounts.bytes(progress.bytesDone)) of \(Amounts.bytes(progress.bytesTotal))"
    }

    private mutating func add(_ name: String, _ value: String) {
        lines.append(name + String(repeating: " ", count: max(1, 11 - name.count)) + value)
    }

    private mutating func addFacts(_ report: StatusReport, now: Int64) {
        add("folder", report.folder)
        add("zone", "\(report.zone) in \(report.container) (\(report.environment), \(report.database))")
        add("server", report.server)
        if let network = report.network { addNetwork(network, now: now) }
        add(
            "account",
            ([report.account.status] + [report.account.userRecordName].compactMap(\.self)).joined(separator: ", "))
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

    private mutating func addAttention(_ report: StatusReport) {
        if let approval = report.approval {
            let place = approval.side == "folder" ? "in the folder" : "in the zone"
            lines.append("")
            lines.append("Waits for approval: \(Amounts.count(approval.deletions, "deletion")) \(place).")
            lines.append("  → zonefolder plan shows them; zonefolder approve \(approval.batch) lets them pass")
        }
        if !report.held.isEmpty {
            lines.append("")
            let place = report.held.count == 1 ? "safe where it is" : "safe where they are"
            lines.append("Held: \(Amounts.count(report.held.count, "file")), \(place)")
            for held in report.held {
                lines.append("  " + held.message)
                lines.append("    → \(held.remedy)")
            }
        }
        if let notices = report.notices, !notices.isEmpty {
            lines.append("")
            lines.append("Not as it should be:")
            for notice in notices {
                lines.append("  " + notice.message)
                lines.append("    → \(notice.remedy)")
            }
        }
        if !report.conflicts.isEmpty {
            lines.append("")
            lines.append("Conflicts: \(report.conflicts.count)")
            lines += report.conflicts.flatMap { ConflictText.lines(of: $0).map { "  " + $0 } }
        }
    }
}

extension StatusText {
    /// More of them would hide what waits for a person; `--json` has all.
    private static let longestList = 10

    /// Files that are synced as plain ones, because they fit no structured record.
    fileprivate mutating func addUnfit(_ unfit: [StatusReport.Held]) {
        guard !unfit.isEmpty else { return }
        lines.append("")
        lines.append(
            "Synced as plain files: \(Amounts.count(unfit.count, "file")) that \(unfit.count == 1 ? "fits" : "fit") no record"
        )
        for file in unfit.prefix(Self.longestList) { lines.append("  " + file.message) }
        let left = unfit.count - Self.longestList
        if left > 0 { lines.append("  and \(left) more; zonefolder status --json names all") }
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
        "zonefolder resolve \(ShellWord.quoted(path)) --mine, --theirs or --edit"
    }

    /// Whose version the copy is.
    static func whose(_ conflict: StatusReport.Conflict) -> String {
        conflict.holdsZoneVersion ? "the zone's version" : "your version"
    }
}
