import ArgumentParser
import CloudKitQueries
import CloudKitWire
import LosslessJSON
import WireCoding

/// A field and its value as people write them: `NAME=VALUE`, or `NAME:TYPE=VALUE`.
struct FieldArgument: ExpressibleByArgument, Sendable {
    let name: String
    let value: FieldValue

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "=") else { return nil }
        let (name, type) = Self.nameAndType(argument[..<equals])
        guard !name.isEmpty, let value = Self.value(String(argument[argument.index(after: equals)...]), type) else {
            return nil
        }
        self.name = name
        self.value = value
    }

    /// `rank:INT64` is the field `rank` of type INT64.
    static func nameAndType(_ text: Substring) -> (name: String, type: String?) {
        guard let colon = text.firstIndex(of: ":") else { return (String(text), nil) }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    /// Without a type, what is JSON is that, and all else is a string; the server's schema decides what it becomes. A
    /// STRING is the text as it stands, a REFERENCE may be a record name alone, BYTES are base64.
    static func value(_ text: String, _ type: String?) -> FieldValue? {
        let document = try? JSONDocument(parsing: Array(text.utf8))
        switch type {
        case nil:
            guard let document, !document.root.isNull, document.root.bool == nil else { return .string(text) }
            return .untyped(json: Array(document.root.text))
        case "STRING": return .string(text)
        case "REFERENCE" where document?.root.kind != .object: return .reference(Reference(recordName: text))
        case "BYTES" where document?.root.kind != .string: return Base64.decode(text.utf8).map { .bytes($0) }
        case let type?:
            guard let document, let value = try? FieldValue(type: type, json: document.root), value.isKnown else {
                return nil
            }
            return value
        }
    }
}

extension FieldValue {
    /// Whether its type is one of the protocol's.
    fileprivate var isKnown: Bool {
        if case .unknown = self { false } else { true }
    }
}

/// A filter as people write it: `FIELD COMPARATOR VALUE`, or the protocol's JSON.
struct FilterArgument: ExpressibleByArgument, Sendable {
    let filter: QueryFilter

    init?(argument: String) {
        if argument.first == "{" {
            guard let filter = try? QueryFilter.decode(Array(argument.utf8)) else { return nil }
            self.filter = filter
            return
        }
        let words = argument.split(maxSplits: 2, whereSeparator: \.isWhitespace)
        guard words.count == 3, let comparator = Self.comparator(String(words[1])) else { return nil }
        let (name, type) = FieldArgument.nameAndType(words[0])
        guard let value = FieldArgument.value(String(words[2]), type) else { return nil }
        filter = QueryFilter(comparator, QueryField(named: name), value)
    }

    private static let signs: [String: QueryFilter.Comparator] = [
        "=": .equals, "==": .equals, "!=": .notEquals, "<": .lessThan, "<=": .lessThanOrEquals, ">": .greaterThan,
        ">=": .greaterThanOrEquals,
    ]

    private static func comparator(_ text: String) -> QueryFilter.Comparator? {
        signs[text] ?? QueryFilter.Comparator(rawValue: text.uppercased().replacing("-", with: "_"))
    }
}

/// An order as people write it: a field, with `-` before it for the largest first.
struct SortArgument: ExpressibleByArgument, Sendable {
    let sort: QuerySort

    init?(argument: String) {
        let isDescending = argument.first == "-"
        let name = isDescending ? String(argument.dropFirst()) : argument
        guard !name.isEmpty else { return nil }
        sort = QuerySort(QueryField(named: name), ascending: !isDescending)
    }
}

extension QueryField {
    /// A system field by the protocol's name, such as `modifiedTimestamp`; all else is a field of the record type.
    init(named name: String) {
        self = SystemField(rawValue: name).map { .system($0) } ?? .user(name)
    }
}
