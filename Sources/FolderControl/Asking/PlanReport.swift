/// What a running daemon would do for one folder.
public struct PlanReport: Hashable, Sendable {
    public var steps: [PlannedStep]
    /// Whether nothing that was saved before the question was left to be looked at. An older daemon does not tell.
    public var isCurrent: Bool

    /// The answer to the question what would be done.
    public init(steps: [PlannedStep], isCurrent: Bool) {
        self.steps = steps
        self.isCurrent = isCurrent
    }
}
