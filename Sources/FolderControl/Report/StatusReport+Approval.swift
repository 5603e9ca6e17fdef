import SyncModel

extension StatusReport {
    /// A batch of deletions that waits.
    public struct Approval: Codable, Hashable, Sendable {
        public var batch: String
        public var deletions: Int
        /// `folder` or `zone`: where they would be carried out.
        public var side: String
        /// How many of the files are equal to others that stay in the folder, as after a move; `nil` from an older daemon.
        public var elsewhere: Int?
        /// How many files went just before on that side, one upon another up to these, and nobody was asked; only what is gone
        /// still. `nil` where none is, or from an older daemon.
        public var unasked: Int?
        /// When the first of these went, or shortly before, in milliseconds since 1970; `nil` as ``unasked``.
        public var unaskedSinceMilliseconds: Int64?

        /// A batch by its name.
        public init(
            batch: String, deletions: Int, side: String, elsewhere: Int? = nil, unasked: Int? = nil,
            unaskedSinceMilliseconds: Int64? = nil
        ) {
            self.batch = batch
            self.deletions = deletions
            self.side = side
            self.elsewhere = elsewhere
            self.unasked = unasked
            self.unaskedSinceMilliseconds = unaskedSinceMilliseconds
        }
    }

    /// Whether a person is asked whether this folder's files are sent into its new zone. Where somebody else shares it, that it
    /// vanished is a matter of theirs.
    public var asksForNewZone: Bool {
        let codes = (database == "shared" ? [Problem.Code.zoneChanged] : [.zoneVanished, .zoneChanged]).map(\.rawValue)
        return held.contains { codes.contains($0.code) }
    }

    /// Whether something waits for `approve`.
    public var needsApproval: Bool { approval != nil || asksForNewZone }
}
