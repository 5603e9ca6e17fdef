package import RecordMapping

/// A refusal that says that a field holds values of another type in the zone (protocol §3.3), such as `invalid attempt to set
/// value type STRING for field 'f' for type 'T', defined to be: INT64`.
package struct TypeClash: Hashable, Sendable {
    /// The field, and what it holds; `nil` where the words do not tell.
    package var known: (name: String, field: ZoneSchema.FieldSchema)? {
        guard let name, let defined else { return nil }
        return (name, defined)
    }

    private var name: String?
    private var defined: ZoneSchema.FieldSchema?

    /// `nil` for words that say something else.
    package init?(refusal reason: String) {
        guard reason.contains("set value type") || reason.contains("expected type") else { return nil }
        name = (try? /for field '([^']+)'/.firstMatch(in: reason)).flatMap { $0.map { String($0.1) } }
        guard let match = try? /defined to be: ([A-Z0-9_]+)/.firstMatch(in: reason) else { return }
        let encrypted = "ENCRYPTED_"
        let word = match.1.hasPrefix(encrypted) ? match.1.dropFirst(encrypted.count) : match.1
        defined = FieldType(rawValue: String(word)).map {
            ZoneSchema.FieldSchema($0, isEncrypted: match.1.hasPrefix(encrypted))
        }
    }
}
