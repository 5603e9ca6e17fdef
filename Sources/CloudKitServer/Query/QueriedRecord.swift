import CloudKitQueries
import CloudKitWire

/// A record as queries see it.
struct QueriedRecord {
    let stored: StoredRecord
    let zone: String
    private let fields: [String: Field]

    init(_ stored: StoredRecord, zone: String) throws {
        self.stored = stored
        self.zone = zone
        fields = try stored.decodedFields()
    }

    /// One value, or a list's; `nil` where the record has no such field.
    func values(of field: QueryField) -> [ComparedValue]? {
        switch field {
        case .user(let name): fields[name]?.value.map { ComparedValue.values(of: $0, in: zone) }
        case .system(.recordName): [.text(stored.name)]
        case .system(.createdTimestamp): [.integer(stored.created.timestamp)]
        case .system(.modifiedTimestamp): [.integer(stored.modified.timestamp)]
        case .system(.createdUserRecordName): stored.created.userRecordName.map { [.text($0)] }
        case .system(.modifiedUserRecordName): stored.modified.userRecordName.map { [.text($0)] }
        case .system(.parent): stored.parent.map { [.text($0)] }
        case .system(.share): nil
        }
    }
}
