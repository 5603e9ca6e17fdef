import FolderControl

/// Decides when somebody is told that a folder needs a person: once for each thing, and not all the time.
struct AttentionWatch {
    /// The least time between two calls.
    static let pause = Duration.seconds(60)

    private var told: Set<String> = []
    private var last: Duration?

    /// - Parameter now: Steady time.
    /// - Returns: What to tell; `nil` where nothing is new, or the last call was just made.
    mutating func call(for report: StatusReport, at now: Duration) -> AttentionCall? {
        // It may know of nothing yet, or not be able to tell.
        guard report.verdict != .unknown else { return nil }
        var wanting = Self.things(of: report)
        // While the account is asked for anew, nothing is known of it.
        if report.account.status == "unknown" { wanting.formUnion(told.filter { $0.hasPrefix("account ") }) }
        // What was settled and comes again is told again.
        told.formIntersection(wanting)
        guard report.verdict == .attention || report.verdict == .degraded, !wanting.isSubset(of: told) else {
            return nil
        }
        if let last, now - last < Self.pause { return nil }
        told = wanting
        last = now
        return AttentionCall(folder: report.folder, verdict: report.verdict.rawValue, message: report.reason)
    }

    /// What asks for a person, each by a name that stays the same as long as it is the same; also while the verdict is another
    /// one, because something moves or the server is away.
    private static func things(of report: StatusReport) -> Set<String> {
        var things = Set(report.held.filter { !$0.isRemark }.map { "held \($0.code) \($0.path)" })
        things.formUnion(report.conflicts.map { "conflict \($0.copy)" })
        if let approval = report.approval { things.insert("approval \(approval.batch)") }
        if ["noAccount", "restricted", "temporarilyUnavailable", "switched"].contains(report.account.status) {
            things.insert("account \(report.account.status)")
        }
        if let watch = report.watch, watch.unwatched > 0 { things.insert("unwatched") }
        return things
    }
}

/// That a folder needs a person: what the command of `on_attention` is told.
public struct AttentionCall: Hashable, Sendable {
    /// The folder's absolute path.
    public var folder: String
    /// As in `status --json`: `attention` or `degraded`.
    public var verdict: String
    /// One sentence for people.
    public var message: String
}
