import CloudKitQueries
import CloudKitSchema
import CloudKitWire

/// What a query may ask about one record type: its fields' types and indexes.
struct QuerySchema {
    var recordType: String
    /// By field name; as the wire spells them, with `ENCRYPTED_` before an encrypted one.
    var types: [String: String]
    /// By field name, system fields under the names that schemas give them.
    var indexes: [String: Schema.Indexes]

    /// As requests and reasons name it.
    func name(of field: QueryField) -> String {
        switch field {
        case .user(let name): name
        case .system(let field): field.rawValue
        }
    }

    /// As ``NumberType/queried(_:)``.
    func type(of field: QueryField) throws(ErrorDictionary) -> String {
        switch field {
        case .system(.createdTimestamp), .system(.modifiedTimestamp): return "TIMESTAMP"
        case .system: return SystemField.nameType
        case .user(let name):
            guard let type = types[name], !name.isEmpty else { throw .badRequest("Unknown field '\(name)'") }
            return NumberType.queried(type)
        }
    }

    /// - Throws: `BAD_REQUEST` where the field has none of the indexes.
    func require(_ wanted: Schema.Indexes, of field: QueryField) throws(ErrorDictionary) {
        let key =
            switch field {
            case .user(let name): name
            case .system(let field): field.schemaName
            }
        guard !(indexes[key] ?? []).isDisjoint(with: wanted) else {
            throw .badRequest("Field '\(name(of: field))' is not marked \(wanted.texts[0].lowercased())")
        }
    }
}

extension SystemField {
    /// The type of system fields that name a record or a user.
    static let nameType = "REFERENCE"
}
