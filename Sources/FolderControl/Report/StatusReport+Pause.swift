package import StateRows

extension StatusReport {
    /// That a person wants no syncing for now.
    public struct Pause: Codable, Hashable, Sendable {
        public var sinceMilliseconds: Int64
        /// When it ends by itself; `nil`: only `zonefolder resume` ends it.
        public var untilMilliseconds: Int64?

        /// A pause that goes on.
        public init(sinceMilliseconds: Int64, untilMilliseconds: Int64? = nil) {
            self.sinceMilliseconds = sinceMilliseconds
            self.untilMilliseconds = untilMilliseconds
        }

        package init(_ pause: FolderPause) {
            self.init(sinceMilliseconds: pause.sinceMilliseconds, untilMilliseconds: pause.untilMilliseconds)
        }
    }

    package static let pausedReason =
        "Syncing is paused: nothing is sent, fetched or written. What waits goes on with `zonefolder resume`."
}
