import SyncModel

extension StatusReport {
    /// Whether a person is asked whether this folder's files are sent into its new zone. Where somebody else shares it, that it
    /// vanished is a matter of theirs.
    public var asksForNewZone: Bool {
        let codes = (database == "shared" ? [Problem.Code.zoneChanged] : [.zoneVanished, .zoneChanged]).map(\.rawValue)
        return held.contains { codes.contains($0.code) }
    }

    /// Whether something waits for `approve`.
    public var needsApproval: Bool { approval != nil || asksForNewZone }
}
