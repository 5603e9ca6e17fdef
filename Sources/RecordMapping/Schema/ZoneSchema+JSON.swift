public import LosslessJSON

/// The schema as it is kept in the state directory: `{"Type": {"hints": true, "fields": {"name": {"type": "STRING",
/// "encrypted": true}}}}`, with `encrypted` only where true.
extension ZoneSchema {
    /// What was learnt, as compact JSON, with names in order.
    public func encoded() -> [UInt8] { Self.encoded(types) }

    /// What is declared, in the same form; `nil` where nothing is.
    public func encodedDeclaration() -> [UInt8]? { declared.isEmpty ? nil : Self.encoded(declared) }

    private static func encoded(_ types: [String: TypeSchema]) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        for (name, type) in types.sorted(by: { $0.key < $1.key }) {
            json.key(name)
            json.beginObject()
            json.key("hints")
            json.bool(type.hasHintsField)
            json.key("fields")
            json.beginObject()
            for (name, field) in type.fields.sorted(by: { $0.key < $1.key }) {
                json.key(name)
                json.beginObject()
                json.key("type")
                json.string(field.type.rawValue)
                if field.isEncrypted {
                    json.key("encrypted")
                    json.bool(true)
                }
                json.endObject()
            }
            json.endObject()
            json.endObject()
        }
        json.endObject()
        return json.bytes
    }

    /// Reads what ``encoded()`` wrote; fields of a type that is not known here are left out, to be learned again.
    public init(decoding bytes: [UInt8]) throws(JSONError) {
        self.init()
        for member in try JSONDocument(parsing: bytes).root.members {
            var type = TypeSchema(hasHintsField: member.value["hints"]?.bool ?? true)
            if let fields = member.value["fields"] {
                for field in fields.members {
                    guard let known = field.value["type"]?.string.flatMap(FieldType.init(rawValue:)) else { continue }
                    type.fields[field.key] = FieldSchema(known, isEncrypted: field.value["encrypted"]?.bool ?? false)
                }
            }
            types[member.key] = type
        }
    }
}
