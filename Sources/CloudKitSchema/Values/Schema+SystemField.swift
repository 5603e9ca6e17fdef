extension Schema {
    /// The fields that every record has; a schema names them only to index them.
    public enum SystemField: String, Hashable, Sendable, CaseIterable {
        case recordID = "___recordID"
        case createTime = "___createTime"
        case createdBy = "___createdBy"
        case modTime = "___modTime"
        case modifiedBy = "___modifiedBy"
        case etag = "___etag"

        static let prefix = "___"

        /// The one type that it can be declared with.
        public var type: FieldType {
            switch self {
            case .recordID, .createdBy, .modifiedBy: .reference
            case .createTime, .modTime: .timestamp
            case .etag: .string
            }
        }
    }
}
