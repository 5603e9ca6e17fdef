public import CloudKitSchema

extension ZoneSchema {
    /// What a container's schema tells, as read from a `.ckdb` file.
    ///
    /// A type that does not declare the reserved field ``RecordHints/fieldName`` cannot carry hints. A `NUMBER`
    /// without a preference may still become either type and is left to be learned. Roles, grants, indexes and system
    /// fields mean nothing to the mapping.
    public init(_ schema: Schema) {
        self.init()
        for recordType in schema.recordTypes {
            var type = TypeSchema(hasHintsField: false)
            for field in recordType.fields where !field.isSystem {
                guard let known = FieldSchema(field.type) else { continue }
                if field.name == RecordHints.fieldName {
                    type.hasHintsField = known.type == .string
                } else {
                    type.fields[field.name] = known
                }
            }
            types[recordType.name] = type
        }
    }
}

extension ZoneSchema.FieldSchema {
    fileprivate init?(_ declared: Schema.FieldType) {
        let element: FieldType
        switch declared.element {
        case .string: element = .string
        case .int64, .numberPreferringInt64: element = .int64
        case .double, .numberPreferringDouble: element = .double
        case .timestamp: element = .timestamp
        case .bytes: element = .bytes
        case .location: element = .location
        case .reference: element = .reference
        case .asset: element = .asset
        case .number: return nil
        }
        guard let type = declared.isList ? element.list : element else { return nil }
        self.init(type, isEncrypted: declared.isEncrypted)
    }
}
