/// One action of a plan, for people and for `plan --json`.
public struct PlannedStep: Codable, Hashable, Sendable {
    /// `create-record`, `update-record`, `delete-record`, `write-file`, `move-file`, `delete-file`, `reconcile`, `forget`.
    public var action: String
    public var path: String
    /// Where a moved file goes.
    public var target: String?
    public var record: String?
    /// `true` where the step waits for an approval.
    public var awaitsApproval: Bool
    /// Why the step is not carried out as things are, by the code that `status` has for it; `nil` where nothing holds it, or from
    /// an older daemon.
    public var held: String?

    /// One step of a plan.
    public init(
        action: String, path: String, target: String? = nil, record: String? = nil, awaitsApproval: Bool = false,
        held: String? = nil
    ) {
        self.action = action
        self.path = path
        self.target = target
        self.record = record
        self.awaitsApproval = awaitsApproval
        self.held = held
    }
}
