package import StateRows

extension StatusReport {
    /// What was done since the daemon began, file by file as `events` tells of it, and how often something had to wait.
    public struct Work: Codable, Hashable, Sendable {
        public var sentFiles: Int64 = 0
        public var receivedFiles: Int64 = 0
        /// Of files that were deleted here.
        public var sentDeletions: Int64 = 0
        /// Of files that were deleted in the zone.
        public var receivedDeletions: Int64 = 0
        /// Waits that were begun before something was tried again.
        public var retries: Int64 = 0
        /// How long these were to be.
        public var retryWaitMilliseconds: Int64 = 0

        /// None yet.
        public init() {}

        package mutating func note(_ change: JournalEntry) {
            switch change.action {
            case JournalEntry.sent: sentFiles += 1
            case JournalEntry.received, JournalEntry.staleHash: receivedFiles += 1
            case JournalEntry.recordDeleted: sentDeletions += 1
            case JournalEntry.fileDeleted: receivedDeletions += 1
            default: break
            }
        }
    }
}
