extension StatusReport {
    /// The process that syncs the folder.
    public struct Daemon: Codable, Hashable, Sendable {
        public var pid: Int32
        public var startedMilliseconds: Int64
        /// Of the program that it runs; `nil` from one that is older than this key.
        public var version: String?

        /// A running daemon.
        public init(pid: Int32, startedMilliseconds: Int64, version: String? = ProgramVersion.current) {
            self.pid = pid
            self.startedMilliseconds = startedMilliseconds
            self.version = version
        }
    }

    /// How requests to the server fare.
    public struct Network: Codable, Hashable, Sendable {
        /// Whether the last request was answered, or a later one may be.
        public var isReachable: Bool
        /// Since when it is not.
        public var sinceMilliseconds: Int64?
        /// Why it is not, or why the server wants to be left alone for now.
        public var cause: String?
        /// When it is tried next; `nil` while that is done, or where nothing has to be tried again.
        public var nextTryMilliseconds: Int64?

        /// The way to the server.
        public init(
            isReachable: Bool, sinceMilliseconds: Int64? = nil, cause: String? = nil, nextTryMilliseconds: Int64? = nil
        ) {
            self.isReachable = isReachable
            self.sinceMilliseconds = sinceMilliseconds
            self.cause = cause
            self.nextTryMilliseconds = nextTryMilliseconds
        }
    }

    /// What of the folder is watched.
    public struct Watch: Codable, Hashable, Sendable {
        public var directories: Int
        /// Directories without a watch: scanned from time to time instead.
        public var unwatched: Int
        public var remedy: String?

        /// Watch coverage.
        public init(directories: Int, unwatched: Int, remedy: String? = nil) {
            self.directories = directories
            self.unwatched = unwatched
            self.remedy = remedy
        }
    }
}
