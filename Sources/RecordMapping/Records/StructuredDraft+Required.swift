import LosslessJSON

/// What a person's configuration asks of a file.
extension StructuredDraft {
    /// The first of some keys that the file has not, or has nothing in: `null`, an empty text, list or object.
    public func firstEmpty(of keys: [String]) -> String? {
        keys.first { key in
            guard let value = document.root[key] else { return true }
            return switch value.kind {
            case .null: true
            case .string: value.string?.isEmpty ?? true
            case .array, .object: value.count == 0
            case .number, .bool: false
            }
        }
    }

    /// Where the asset of a key belongs that the file has not at all; `nil` where it says something of it, be it `null`.
    public func slot(ofAbsent key: String) -> AssetSlot? {
        document.root[key] == nil ? AssetSlot(field: FieldNaming.fieldName(of: key)) : nil
    }
}
