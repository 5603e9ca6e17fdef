import CloudKitSchema

/// Differences as `schema diff`, `import` and `promote` show them; its JSON form is their `--json`.
struct SchemaChangeReport: Encodable {
    var container: String?
    var from: String
    var to: String
    var changes: [ChangeLine]

    init(container: String? = nil, from: String, to: String, changes: [SchemaChange]) {
        (self.container, self.from, self.to) = (container, from, to)
        self.changes = changes.map(ChangeLine.init)
    }

    /// A line for each change, and one that counts them.
    func text(_ sum: String) -> String {
        (changes.map(\.text) + ["\(from) → \(to): \(sum)"]).joined(separator: "\n")
    }

    var count: String { changes.count == 1 ? "1 change" : "\(changes.count) changes" }
}

/// One difference of two schemas.
struct ChangeLine: Encodable {
    let text: String
    private let change: SchemaChange

    init(_ change: SchemaChange) {
        self.change = change
        text = change.description
    }

    private enum Key: String, CodingKey {
        case change, role, recordType, field, type, newType, index, permission
    }

    func encode(to encoder: any Encoder) throws {
        var line = encoder.container(keyedBy: Key.self)
        try line.encodeIfPresent(change.recordType, forKey: .recordType)
        try line.encodeIfPresent(change.field, forKey: .field)
        switch change {
        case .addRole(let role), .removeRole(let role):
            try line.encode(change.removes ? "removeRole" : "addRole", forKey: .change)
            try line.encode(role, forKey: .role)
        case .addRecordType, .removeRecordType:
            try line.encode(change.removes ? "removeRecordType" : "addRecordType", forKey: .change)
        case .addField(_, _, let type), .removeField(_, _, let type):
            try line.encode(change.removes ? "removeField" : "addField", forKey: .change)
            try line.encode(type.description, forKey: .type)
        case .retypeField(_, _, let old, let new):
            try line.encode("retypeField", forKey: .change)
            try line.encode(old.description, forKey: .type)
            try line.encode(new.description, forKey: .newType)
        case .addIndex(let index, _, _), .removeIndex(let index, _, _):
            try line.encode(change.removes ? "removeIndex" : "addIndex", forKey: .change)
            try line.encode(index.texts.joined(separator: " "), forKey: .index)
        case .addGrant(let permission, let role, _), .removeGrant(let permission, let role, _):
            try line.encode(change.removes ? "removeGrant" : "addGrant", forKey: .change)
            try line.encode(permission.rawValue, forKey: .permission)
            try line.encode(role, forKey: .role)
        }
    }
}
