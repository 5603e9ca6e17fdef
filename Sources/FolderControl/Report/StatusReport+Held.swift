import SyncModel

extension StatusReport {
    /// A file or record that cannot be synced as it is.
    public struct Held: Codable, Hashable, Sendable {
        public var path: String
        public var code: String
        public var message: String
        public var remedy: String
        public var line: Int?

        /// Whether nothing is asked of a person (`Problem.isRemark`).
        package var isRemark: Bool { Problem(Problem.Code(rawValue: code), message: message, remedy: remedy).isRemark }

        /// Something held, with its reason and its remedy.
        public init(path: String, code: String, message: String, remedy: String, line: Int? = nil) {
            self.path = path
            self.code = code
            self.message = message
            self.remedy = remedy
            self.line = line
        }
    }

    /// Something that is not as it should be, and holds no file.
    public struct Notice: Codable, Hashable, Sendable {
        public var code: String
        public var message: String
        public var remedy: String

        /// What is wrong, and the way out.
        public init(code: String, message: String, remedy: String) {
            self.code = code
            self.message = message
            self.remedy = remedy
        }
    }
}
