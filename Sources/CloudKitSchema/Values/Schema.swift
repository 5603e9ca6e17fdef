/// A container's schema in one environment: what a `.ckdb` file declares (protocol §8).
///
/// The order of roles, types, fields and grants is the text's and means nothing: ``sorted()`` gives one order to all
/// schemas that say the same.
public struct Schema: Hashable, Sendable {
    /// Roles of the container's own; the three of ``Role`` exist without being made.
    public var roles: [String]
    public var recordTypes: [RecordType]

    /// A schema of these roles and types.
    public init(roles: [String] = [], recordTypes: [RecordType] = []) {
        self.roles = roles
        self.recordTypes = recordTypes
    }

    /// The type of that name.
    public subscript(recordType: String) -> RecordType? {
        recordTypes.first { $0.name == recordType }
    }

    /// The same schema in the order of names, and without what says nothing: system fields that have no index.
    public func sorted() -> Schema {
        Schema(
            roles: roles.sorted(),
            recordTypes: recordTypes.map { $0.sorted() }.sorted { $0.name < $1.name })
    }

    /// A record type: its fields and who may do what with its records.
    public struct RecordType: Hashable, Sendable {
        /// A letter, then letters, digits and `_`; case matters.
        public var name: String
        /// User fields, and the system fields that are named in order to index them.
        public var fields: [Field]
        public var grants: [Grant]

        /// A type of that name.
        public init(_ name: String, fields: [Field] = [], grants: [Grant] = Grant.usual) {
            self.name = name
            self.fields = fields
            self.grants = grants
        }

        /// The field of that name, system fields by their `___` names.
        public subscript(field: String) -> Field? {
            fields.first { $0.name == field }
        }

        func sorted() -> RecordType {
            var permissions: [String: Set<Permission>] = [:]
            for grant in grants { permissions[grant.role, default: []].formUnion(grant.permissions) }
            return RecordType(
                name, fields: fields.filter { !$0.isSystem || !$0.indexes.isEmpty }.sorted { $0.name < $1.name },
                grants: permissions.sorted { $0.key < $1.key }.map { role, permissions in
                    Grant(Permission.allCases.filter(permissions.contains), to: role)
                })
        }
    }

    /// A field of a record type.
    public struct Field: Hashable, Sendable {
        /// Like a type's name; a system field's begins with `___`.
        public var name: String
        /// Never changes while the field exists.
        public var type: FieldType
        /// What queries may ask of it.
        public var indexes: Indexes

        /// A field of that name and type.
        public init(_ name: String, _ type: FieldType, _ indexes: Indexes = []) {
            self.name = name
            self.type = type
            self.indexes = indexes
        }

        /// Whether it names a system field, which every record has.
        public var isSystem: Bool { name.hasPrefix(SystemField.prefix) }
    }
}

extension Schema.RecordType {
    /// The type of the users' own records, which every container has.
    public static let users = Self(
        "Users", fields: [Schema.Field("roles", .list(.int64))],
        grants: [Schema.Grant([.write], to: Schema.Role.creator), Schema.Grant([.read], to: Schema.Role.world)])
}
