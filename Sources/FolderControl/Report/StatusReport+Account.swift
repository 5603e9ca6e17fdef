extension StatusReport {
    /// The account that the folder belongs to.
    public struct Account: Codable, Hashable, Sendable {
        /// `available`, `noAccount`, `restricted`, `couldNotDetermine`, `temporarilyUnavailable`, `switched` or `unknown`.
        public var status: String
        public var userRecordName: String?
        /// How the account is called; `nil` where the server told no name.
        public var name: String?
        /// What a person should do, where something is to be done.
        public var remedy: String?

        /// An account's status.
        public init(status: String, userRecordName: String? = nil, name: String? = nil, remedy: String? = nil) {
            self.status = status
            self.userRecordName = userRecordName
            self.name = name
            self.remedy = remedy
        }
    }
}
