import CloudKitSchema
import RecordPaths

/// The field names of keys that are none themselves.
enum FieldNaming {
    /// Whether a key can be a field's name as it is.
    static func isFieldName(_ key: String) -> Bool {
        SchemaName.isLegal(key) && !key.utf8.elementsEqual(RecordHints.fieldName.utf8)
    }

    /// The field name of a key: itself where legal, else its legal characters (others as `_`, after `f_` where it
    /// begins with no letter, at most 200), `_` and the first 8 digits of the SHA-256 of its UTF-8.
    static func fieldName(of key: String) -> String {
        guard !isFieldName(key) else { return key }
        var name = key.utf8.map { SchemaName.isPart($0) ? $0 : UInt8(ascii: "_") }
        if !(name.first.map(SchemaName.isLetter) ?? false) { name = Array("f_".utf8) + name }
        name = name.prefix(200) + [UInt8(ascii: "_")] + ShortHash.digits(8, of: key.utf8)
        return String(decoding: name, as: UTF8.self)
    }
}
