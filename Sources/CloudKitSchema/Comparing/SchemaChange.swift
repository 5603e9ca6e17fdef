/// One difference between two schemas, as what the first would have to undergo.
public enum SchemaChange: Hashable, Sendable {
    case addRole(String)
    case removeRole(String)
    case addRecordType(String)
    case removeRecordType(String)
    case addField(String, of: String, type: Schema.FieldType)
    case removeField(String, of: String, type: Schema.FieldType)
    case retypeField(String, of: String, from: Schema.FieldType, to: Schema.FieldType)
    case addIndex(Schema.Indexes, field: String, of: String)
    case removeIndex(Schema.Indexes, field: String, of: String)
    case addGrant(Schema.Permission, role: String, of: String)
    case removeGrant(Schema.Permission, role: String, of: String)

    /// Whether something goes.
    public var removes: Bool {
        switch self {
        case .removeRole, .removeRecordType, .removeField, .removeIndex, .removeGrant: true
        case .addRole, .addRecordType, .addField, .retypeField, .addIndex, .addGrant: false
        }
    }

    /// The record type that it is about.
    public var recordType: String? {
        switch self {
        case .addRole, .removeRole: nil
        case .addRecordType(let type), .removeRecordType(let type): type
        case .addField(_, let type, _), .removeField(_, let type, _), .retypeField(_, let type, _, _): type
        case .addIndex(_, _, let type), .removeIndex(_, _, let type): type
        case .addGrant(_, _, let type), .removeGrant(_, _, let type): type
        }
    }

    /// The field that it is about.
    public var field: String? {
        switch self {
        case .addField(let field, _, _), .removeField(let field, _, _), .retypeField(let field, _, _, _): field
        case .addIndex(_, let field, _), .removeIndex(_, let field, _): field
        case .addRole, .removeRole, .addRecordType, .removeRecordType, .addGrant, .removeGrant: nil
        }
    }
}

extension SchemaChange: CustomStringConvertible {
    /// Such as `+ field title of Note: STRING`.
    public var description: String {
        switch self {
        case .addRole(let role): "+ role \(role)"
        case .removeRole(let role): "- role \(role)"
        case .addRecordType(let type): "+ record type \(type)"
        case .removeRecordType(let type): "- record type \(type)"
        case .addField(let field, let recordType, let type): "+ field \(field) of \(recordType): \(type)"
        case .removeField(let field, let recordType, let type): "- field \(field) of \(recordType): \(type)"
        case .retypeField(let field, let recordType, let old, let new):
            "~ field \(field) of \(recordType): \(old) becomes \(new)"
        case .addIndex(let index, let field, let type): "+ \(field) of \(type) is \(index.texts.joined(separator: " "))"
        case .removeIndex(let index, let field, let type):
            "- \(field) of \(type) is \(index.texts.joined(separator: " "))"
        case .addGrant(let permission, let role, let type): "+ \(role) may \(permission.rawValue) \(type)"
        case .removeGrant(let permission, let role, let type): "- \(role) may \(permission.rawValue) \(type)"
        }
    }
}
