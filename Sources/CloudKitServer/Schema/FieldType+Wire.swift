import CloudKitSchema

/// A field's type as values name theirs, which is also how the store keeps it: `INT64_LIST`, `ENCRYPTED_STRING`. A number
/// of which nobody said what it is has no such name; it is `NUMBER`, with `_INT64` or `_DOUBLE` where that is preferred.
extension Schema.FieldType {
    var wireName: String {
        (isEncrypted ? Self.encrypted : "") + element.wireName + (isList ? Self.list : "")
    }

    /// `nil` for a name of no type.
    init?(wireName: String) {
        var name = wireName[...]
        let isEncrypted = name.hasPrefix(Self.encrypted)
        if isEncrypted { name = name.dropFirst(Self.encrypted.count) }
        let isList = name.hasSuffix(Self.list)
        if isList { name = name.dropLast(Self.list.count) }
        guard let element = Schema.Element.allCases.first(where: { $0.wireName == name }) else { return nil }
        self.init(element, isList: isList, isEncrypted: isEncrypted)
    }

    private static let encrypted = "ENCRYPTED_"
    private static let list = "_LIST"
}

extension Schema.Element {
    fileprivate var wireName: String {
        switch self {
        case .asset: "ASSETID"
        case .numberPreferringInt64: "NUMBER_INT64"
        case .numberPreferringDouble: "NUMBER_DOUBLE"
        case .string, .int64, .double, .timestamp, .bytes, .location, .reference, .number: text
        }
    }
}
