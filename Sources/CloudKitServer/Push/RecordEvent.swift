import CloudKitWire

/// What a commit did to one record, for the queries that people subscribed to.
struct RecordEvent {
    /// As `firesOn` names it.
    enum Kind: String, CaseIterable {
        case create, update, delete

        /// As pushes number it (protocol §3.11).
        var number: Int {
            switch self {
            case .create: 1
            case .update: 2
            case .delete: 3
            }
        }
    }

    var kind: Kind
    var zone: ZoneRow
    /// As it is now; as it was, where it is deleted.
    var record: StoredRecord
}

/// What a commit changed: a database, zones of it by their rows, and records.
struct DatabaseChange {
    var database: Int64
    /// What kind of database it is.
    var scope = DatabaseScope.private
    /// Empty where zones came or went and no record changed.
    var zones: [Int64]
    var records: [RecordEvent] = []
}
