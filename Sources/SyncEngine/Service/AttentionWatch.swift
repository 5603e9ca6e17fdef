/// Decides when somebody is told that a folder needs a person: once for each thing, and not all the time.
struct AttentionWatch {
    /// The least time between two calls.
    static let pause = Duration.seconds(60)

    private var told: Set<String> = []
    private var last: Duration?

    /// - Parameter now: Steady time.
    /// - Returns: What to tell; `nil` where nothing is new, or the last call was just made.
    mutating func call(for report: StatusReport, at now: Duration) -> AttentionCall? {
        let wanting = Self.things(of: report)
        // What was settled and comes again is told again.
        told.formIntersection(wanting)
        guard !wanting.isSubset(of: told) else { return nil }
        if let last, now - last < Self.pause { return nil }
        told = wanting
        last = now
        return AttentionCall(folder: report.folder, verdict: report.verdict.rawValue, message: report.reason)
    }

    /// What asks for a person, each by a name that stays the same as long as it is the same.
    private static func things(of report: StatusReport) -> Set<String> {
        guard report.verdict == .attention || report.verdict == .degraded else { return [] }
        var things = Set(report.held.filter { !$0.isRemark }.map { "held \($0.code) \($0.path)" })
        things.formUnion(report.conflicts.map { "conflict \($0.copy)" })
        if let approval = report.approval { things.insert("approval \(approval.batch)") }
        if report.account.remedy != nil { things.insert("account \(report.account.status)") }
        if report.verdict == .degraded { things.insert("degraded") }
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
