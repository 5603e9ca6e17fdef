import CloudKitWire
import LosslessJSON

/// What a field declared as `NUMBER` takes (protocol §8.1).
enum NumberType {
    /// The type that a value must have in a field of a type: that type, unless it is a number; then the preferred one, or
    /// without any what the value itself is.
    static func settled(_ type: String, for value: FieldValue) -> String {
        switch type {
        case "NUMBER_INT64": "INT64"
        case "NUMBER_DOUBLE": "DOUBLE"
        case "NUMBER_INT64_LIST": "INT64_LIST"
        case "NUMBER_DOUBLE_LIST": "DOUBLE_LIST"
        case "NUMBER", "NUMBER_LIST": own(of: value, isList: type == "NUMBER_LIST") ?? type
        default: type
        }
    }

    /// Whether a field of this type is declared as a number of some kind.
    static func isNumber(_ type: String) -> Bool { type.hasPrefix("NUMBER") }

    /// The type as queries see it: `NUMBER` or `NUMBER_LIST`, whichever number is preferred. Values that were saved before
    /// one was preferred may be of the other kind, so both are compared by what they are worth.
    static func queried(_ type: String) -> String {
        guard isNumber(type) else { return type }
        return type.hasSuffix("_LIST") ? "NUMBER_LIST" : "NUMBER"
    }

    private static func own(of value: FieldValue, isList: Bool) -> String? {
        switch value {
        case .int64, .double: return isList ? nil : value.typeName
        case .int64List, .doubleList: return isList ? value.typeName : nil
        case .untyped(let json):
            guard let root = try? JSONDocument(parsing: json).root, (root.kind == .array) == isList else { return nil }
            let isWhole = isList ? root.elements.allSatisfy { $0.int64 != nil } : root.int64 != nil
            return (isWhole ? "INT64" : "DOUBLE") + (isList ? "_LIST" : "")
        default: return nil
        }
    }
}
