public import CloudKitSchema

extension Schema {
    /// What the mapping saves by itself: the type of file records, and on structured records the reserved field.
    ///
    /// CloudKit makes no types and fields for web clients, so a container needs these before anything can be synced
    /// (protocol §8.3). The fields that a structured type has besides are its own.
    /// - Parameters:
    ///   - fileType: The record type of files that are no structured records.
    ///   - structuredTypes: Record types of structured records.
    public static func ofMapping(fileType: String = "File", structuredTypes: [String] = []) -> Schema {
        Schema(
            recordTypes: [RecordType(fileType, fields: recordName + FileRecord.declaredFields)]
                + structuredTypes.map {
                    RecordType($0, fields: recordName + [Field(RecordHints.fieldName, .string)])
                })
    }

    /// Not needed to sync, but the console shows records only where it is there.
    private static let recordName = [
        Field(SystemField.recordID.rawValue, SystemField.recordID.type, .queryable)
    ]
}

extension FileRecord {
    /// The fields as a schema declares them, with the indexes that a search for files can use.
    static let declaredFields = [
        Schema.Field("path", .string, [.queryable, .sortable]),
        Schema.Field("content", .asset),
        Schema.Field("size", .int64, [.queryable, .sortable]),
        Schema.Field("sha256", .string, .queryable),
        Schema.Field("modified", .timestamp, [.queryable, .sortable]),
        Schema.Field("executable", .int64),
    ]
}
