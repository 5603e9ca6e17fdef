extension StatusReport {
    /// The report for one file, or for what lies in one directory.
    ///
    /// The facts of the folder stay; held files, conflicts and the verdict are those of the path. What keeps the folder
    /// as a whole from being synced keeps the path too, and "in sync" is said only where both sides were looked at
    /// since the daemon's start.
    /// - Parameters:
    ///   - path: Relative to the folder.
    ///   - steps: What would be done now; empty where no daemon says it.
    ///   - standing: What is at the path.
    public func narrowed(
        to path: String, steps: [PlannedStep], standing: FileStanding = .present
    ) -> StatusReport {
        var report = self
        // What is told of a directory, or of what stands in its place, goes for all that would be below it.
        report.held = held.filter { Self.concerns($0.path, path) || Self.concerns(path, $0.path) }
        report.unfit = unfit?.filter { Self.concerns($0.path, path) }
        report.conflicts = conflicts.filter { Self.concerns($0.path, path) || Self.concerns($0.copy, path) }
        let own = steps.filter { step in
            Self.concerns(step.path, path) || step.target.map { Self.concerns($0, path) } ?? false
        }
        if !own.contains(where: \.awaitsApproval) { report.approval = nil }
        (report.verdict, report.reason) = verdict(of: path, own, report)
        let isAlone =
            own.isEmpty && report.conflicts.isEmpty && report.approval == nil && report.held.allSatisfy(\.isRemark)
        switch standing {
        case .absent where report.verdict == .inSync:
            report.reason = "There is no \(path), neither in the folder nor in the zone."
        case .empty where report.verdict == .inSync:
            report.reason = "\(path) has no file in it: an empty directory is on no other device."
        // Whatever else moves or waits, it does not concern this.
        case .ignored(let rule) where isAlone:
            (report.verdict, report.reason) = (
                .notSynced, "\(path) is not synced, as a rule leaves it out: \(rule)."
            )
        case .leftInZone(let rule) where isAlone:
            (report.verdict, report.reason) = (
                .notSynced, "What the zone has of \(path) is not brought here, as a rule leaves it out: \(rule)."
            )
        case .skipped(let sentence) where isAlone: (report.verdict, report.reason) = (.notSynced, sentence)
        case .present, .absent, .empty, .ignored, .leftInZone, .skipped: break
        }
        return report
    }

    private func verdict(
        of path: String, _ steps: [PlannedStep], _ report: StatusReport
    ) -> (Verdict, String) {
        switch verdict {
        case .paused, .offline, .unknown, .degraded: return (verdict, reason)
        case .inSync, .syncing, .pending, .attention, .notSynced: break
        }
        if let held = report.held.first(where: { !$0.isRemark }) { return (.attention, held.message) }
        if let conflict = report.conflicts.first { return (.attention, "\(conflict.path) has a conflict copy.") }
        if report.approval != nil { return (.attention, "\(path) waits for an approval.") }
        if !steps.isEmpty { return (verdict == .syncing ? .syncing : .pending, "\(path) is not on both sides yet.") }
        // A problem of the folder as a whole has no path, nor has one of the account: they are why the verdict is so.
        if let network, !network.isReachable, !held.contains(where: { $0.path.isEmpty }) {
            return (.offline, network.cause ?? reason)
        }
        let isAboutAll = account.status != "available" || held.contains { $0.path.isEmpty }
        if verdict == .attention, isAboutAll { return (verdict, reason) }
        guard verdict == .inSync || hasFetchedSinceStart else { return (verdict, reason) }
        // While others move or wait, this one may have been saved and not been looked at.
        guard verdict == .inSync || isCurrent == true else {
            return (
                verdict == .syncing ? .syncing : .pending,
                "\(path) may have changed since it was last looked at; `zonefolder status --wait` waits for that."
            )
        }
        return (.inSync, "\(path) is the same on both sides.")
    }

    private var hasFetchedSinceStart: Bool {
        guard let daemon, let lastFetchMilliseconds else { return false }
        return lastFetchMilliseconds >= daemon.startedMilliseconds
    }

    /// Whether a path is the given one or lies below it, byte by byte.
    private static func concerns(_ path: String, _ wanted: String) -> Bool {
        let wanted = wanted.utf8
        guard path.utf8.starts(with: wanted) else { return false }
        return path.utf8.count == wanted.count || path.utf8.dropFirst(wanted.count).first == UInt8(ascii: "/")
    }
}
