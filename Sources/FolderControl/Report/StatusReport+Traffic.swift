extension StatusReport {
    /// Requests to the server since the daemon began, the courier's and repeated ones included.
    public struct Traffic: Codable, Hashable, Sendable {
        public var requests: Int64 = 0
        /// Those whose answer was no success.
        public var refused: Int64 = 0
        /// Those without a complete answer.
        public var unanswered: Int64 = 0
        public var sentBytes: Int64 = 0
        public var receivedBytes: Int64 = 0

        /// None yet.
        public init() {}
    }
}
