public import CloudKitWire

/// What is known of the zone's record types: learned from fetched records and refusals, or read from a `.ckdb` file.
///
/// A field's type never changes on the server (protocol §8.3), so what was learned once stays true.
public struct ZoneSchema: Hashable, Sendable {
    /// A field's type and whether it is stored encrypted.
    public struct FieldSchema: Hashable, Sendable {
        /// Never changes on the server.
        public var type: FieldType
        /// Whether writes must say `isEncrypted`.
        public var isEncrypted: Bool

        /// A field of a type.
        public init(_ type: FieldType, isEncrypted: Bool = false) {
            self.type = type
            self.isEncrypted = isEncrypted
        }
    }

    /// The fields of one record type.
    public struct TypeSchema: Hashable, Sendable {
        /// By name.
        public var fields: [String: FieldSchema]
        /// Whether the reserved field ``RecordHints/fieldName`` can be written; true until a refusal says otherwise.
        public var hasHintsField: Bool

        /// A record type with some fields known.
        public init(fields: [String: FieldSchema] = [:], hasHintsField: Bool = true) {
            self.fields = fields
            self.hasHintsField = hasHintsField
        }
    }

    /// Record types by name, as learnt from the zone.
    public var types: [String: TypeSchema]
    /// The same as a person's schema file declares them; what the zone tells comes first.
    public var declared: [String: TypeSchema] = [:]

    /// A schema with some types known.
    public init(types: [String: TypeSchema] = [:]) {
        self.types = types
    }

    /// What is known of one field.
    public func field(_ name: String, of type: String) -> FieldSchema? {
        types[type]?.fields[name] ?? declared[type]?.fields[name]
    }

    /// Whether records of a type can carry hints.
    public func hasHintsField(_ type: String) -> Bool {
        (types[type] ?? declared[type])?.hasHintsField ?? true
    }

    /// Notes whether records of a type can carry hints, as a `.ckdb` file or a refusal of the server says.
    public mutating func setHintsField(_ available: Bool, of type: String) {
        types[type, default: TypeSchema()].hasHintsField = available
    }

    /// Takes over the type of one field.
    /// - Returns: Whether it was new.
    public mutating func learn(_ field: FieldSchema, named name: String, of type: String) -> Bool {
        guard types[type]?.fields[name] != field else { return false }
        var known = types[type] ?? TypeSchema(hasHintsField: hasHintsField(type))
        known.fields[name] = field
        types[type] = known
        return true
    }

    /// Forgets which record types were said to lack the reserved field, so that it is tried again.
    public mutating func expectHintsFields() {
        for name in types.keys { types[name]?.hasHintsField = true }
        for name in declared.keys { types[name, default: TypeSchema()].hasHintsField = true }
    }

    /// Takes over what a record's fields tell of its type.
    /// - Returns: Whether anything was new.
    @discardableResult
    public mutating func learn(from record: Record) -> Bool {
        guard let type = record.recordType else { return false }
        return learn(from: record.fields, of: type)
    }

    /// Takes over what the fields of one record of a type tell.
    /// - Returns: Whether anything was new.
    @discardableResult
    public mutating func learn(from fields: [String: Field], of type: String) -> Bool {
        var isNew = false
        for (name, field) in fields {
            guard let value = field.value, let fieldType = FieldType(of: value) else { continue }
            if name == RecordHints.fieldName {
                guard types[type]?.hasHintsField != true else { continue }
                types[type, default: TypeSchema()].hasHintsField = true
                isNew = true
                continue
            }
            let learned = FieldSchema(fieldType, isEncrypted: field.isEncrypted)
            if learn(learned, named: name, of: type) { isNew = true }
        }
        return isNew
    }
}
