extension StatusReport {
    /// How many actions are still to be done.
    public struct Pending: Codable, Hashable, Sendable {
        public var uploads = 0
        public var downloads = 0
        public var deletions = 0
        /// Files and directories in which something happened that was not looked at yet.
        public var unseen: Int? = nil

        /// Nothing pending.
        public init() {}
    }

    /// Files and bytes done, of how many.
    public struct Progress: Codable, Hashable, Sendable {
        public var filesDone: Int
        public var filesTotal: Int
        public var bytesDone: Int64
        public var bytesTotal: Int64
        /// How long it goes on, which tells the rate; `nil` from an older daemon.
        public var elapsedMilliseconds: Int64?

        /// Progress of everything that is moving, in one total.
        public init(
            filesDone: Int = 0, filesTotal: Int = 0, bytesDone: Int64 = 0, bytesTotal: Int64 = 0,
            elapsedMilliseconds: Int64? = nil
        ) {
            self.elapsedMilliseconds = elapsedMilliseconds
            self.filesDone = filesDone
            self.filesTotal = filesTotal
            self.bytesDone = bytesDone
            self.bytesTotal = bytesTotal
        }
    }
}
