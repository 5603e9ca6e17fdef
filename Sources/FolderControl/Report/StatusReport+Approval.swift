import SyncModel

extension StatusReport {
    /// Whether a person is asked whether this folder's files are sent into its new zone.
    public var asksForNewZone: Bool {
        let codes = [Problem.Code.zoneVanished, .zoneChanged].map(\.rawValue)
        return held.contains { codes.contains($0.code) }
    }

    /// Whether something waits for `approve`.
    public var needsApproval: Bool { approval != nil || asksForNewZone }
}
