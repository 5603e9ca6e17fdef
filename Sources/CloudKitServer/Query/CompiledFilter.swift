import CloudKitQueries
import CloudKitSchema
import CloudKitWire
import LosslessJSON

/// A filter, checked against the schema and ready to be asked of records.
///
/// A comparator that begins with `NOT_` holds exactly where the one without it does not; so a record without the field is
/// found by it. A filter that names nothing, no word and no value, is refused: taken at its word it would hold everywhere,
/// which nobody means who writes it. `EQUALS` with an empty list is something else; it finds empty lists.
struct CompiledFilter {
    let field: QueryField
    let comparator: QueryFilter.Comparator
    let operands: [ComparedValue]
    let tokens: Set<String>
    let distance: Double
    private let isNumber: Bool

    /// - Throws: `BAD_REQUEST` in the service's words, where the field is unknown, its index missing, or the value of
    ///   another type than the comparator takes.
    init(_ filter: QueryFilter, _ schema: QuerySchema) throws(ErrorDictionary) {
        field = filter.field
        comparator = filter.comparator
        let fieldType = try schema.type(of: filter.field)
        isNumber = NumberType.isNumber(fieldType)
        let expected = try Self.operandType(of: filter.comparator, for: fieldType, schema.name(of: filter.field))
        try schema.require(Self.indexes(for: filter.comparator), of: filter.field)
        let value = try Self.typed(filter.value, as: expected, isSystem: filter.field.isSystem)
        if filter.field.isSystem, case .reference(let reference) = value {
            operands = [.text(reference.recordName)]
        } else if filter.field.isSystem, case .referenceList(let list) = value {
            operands = list.map { .text($0.recordName) }
        } else {
            let values = ComparedValue.values(of: value, in: ZoneID.defaultZoneName)
            operands = isNumber ? values.map(\.number) : values
        }
        try QueryLimits.check(operands: operands.count)
        guard !operands.isEmpty || [.equals, .notEquals].contains(filter.comparator) else {
            throw .namesNothing(filter.comparator)
        }
        switch filter.comparator {
        case .containsAllTokens, .containsAnyTokens:
            guard case .string(let text) = value else { preconditionFailure("Tokens are searched in a text") }
            tokens = searchTokens(text)
            guard !tokens.isEmpty else { throw .namesNothing(filter.comparator) }
        default: tokens = []
        }
        guard filter.comparator != .near || (filter.distance ?? -1) >= 0 else {
            throw .missing("distance")
        }
        distance = filter.distance ?? 0
    }

    /// Whether a record passes.
    func matches(_ record: QueriedRecord) -> Bool {
        let found = record.values(of: field)
        let values = isNumber ? found?.map(\.number) : found
        return switch comparator {
        case .equals: values.map { $0 == operands } ?? false
        case .notEquals: values.map { $0 != operands } ?? true
        case .lessThan: ordered(values) { $0.precedes($1) }
        case .lessThanOrEquals: ordered(values) { $1.precedes($0).map(!) }
        case .greaterThan: ordered(values) { $1.precedes($0) }
        case .greaterThanOrEquals: ordered(values) { $0.precedes($1).map(!) }
        case .near: ordered(values) { value, center in value.distance(to: center).map { $0 <= distance } }
        case .containsAllTokens: tokens.isSubset(of: words(values))
        case .containsAnyTokens: !tokens.isDisjoint(with: words(values))
        case .in: values?.first.map(operands.contains) ?? false
        case .notIn: !(values?.first.map(operands.contains) ?? false)
        case .beginsWith, .listMemberBeginsWith: begins(values)
        case .notBeginsWith, .notListMemberBeginsWith: !begins(values)
        case .listContains, .listContainsAll: Set(operands).isSubset(of: values ?? [])
        case .notListContains, .notListContainsAll: !Set(operands).isSubset(of: values ?? [])
        case .notListContainsAny: Set(operands).isDisjoint(with: values ?? [])
        }
    }

    private func ordered(_ values: [ComparedValue]?, _ holds: (ComparedValue, ComparedValue) -> Bool?) -> Bool {
        guard let value = values?.first, let operand = operands.first else { return false }
        return holds(value, operand) ?? false
    }

    private func begins(_ values: [ComparedValue]?) -> Bool {
        guard let values, let prefix = operands.first else { return false }
        return values.contains { $0.begins(with: prefix) }
    }

    private func words(_ values: [ComparedValue]?) -> Set<String> {
        (values ?? []).reduce(into: []) { words, value in
            guard case .text(let text) = value else { return }
            words.formUnion(searchTokens(String(decoding: text, as: UTF8.self)))
        }
    }

    // MARK: Checking

    /// Any of these is enough (protocol §3.3).
    private static func indexes(for comparator: QueryFilter.Comparator) -> Schema.Indexes {
        switch comparator {
        case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals: .sortable
        case .beginsWith, .notBeginsWith: [.queryable, .sortable]
        case .containsAllTokens, .containsAnyTokens: .searchable
        default: .queryable
        }
    }

    /// The type that the value must have.
    private static func operandType(
        of comparator: QueryFilter.Comparator, for type: String, _ name: String
    ) throws(ErrorDictionary) -> String {
        let suffix = "_LIST"
        let element = type.hasSuffix(suffix) ? String(type.dropLast(suffix.count)) : nil
        let accepted: String? =
            switch comparator {
            case .equals, .notEquals: type
            case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals:
                ["STRING", "INT64", "DOUBLE", "NUMBER", "TIMESTAMP", "BYTES"].contains(type) ? type : nil
            case .near: type == "LOCATION" ? type : nil
            case .containsAllTokens, .containsAnyTokens: element ?? type == "STRING" ? "STRING" : nil
            case .in, .notIn: element == nil ? type + suffix : nil
            case .beginsWith, .notBeginsWith: type == "STRING" || type == SystemField.nameType ? type : nil
            case .listContains, .notListContains: element
            case .listMemberBeginsWith, .notListMemberBeginsWith: element == "STRING" ? element : nil
            case .listContainsAll, .notListContainsAll, .notListContainsAny: element == nil ? nil : type
            }
        guard let accepted else {
            throw .badRequest("Comparator \(comparator.rawValue) can't be used with field '\(name)' of type \(type)")
        }
        return accepted
    }

    private static func typed(
        _ value: FieldValue, as queried: String, isSystem: Bool
    ) throws(ErrorDictionary) -> FieldValue {
        let expected = NumberType.settled(queried, for: value)
        var typed = value
        if case .untyped(let json) = value {
            guard let document = try? JSONDocument(parsing: json),
                !expected.hasSuffix("_LIST") || document.root.kind == .array
            else { throw .malformed("Unexpected input") }
            let type = isSystem ? nameType(of: document.root) ?? expected : expected
            do {
                typed = try FieldValue(type: type, json: document.root)
            } catch {
                throw .badRequest("Invalid value, expected type \(queried).")
            }
        }
        // A record's or a user's name may be given as what it is, or as a reference to the record.
        if isSystem, expected.hasPrefix("REFERENCE"), typed.typeName == expected.replacing("REFERENCE", with: "STRING")
        {
            return typed
        }
        guard typed.typeName == expected else {
            if expected.hasSuffix("_LIST"), typed.typeName?.hasSuffix("_LIST") != true {
                throw .malformed("Unexpected input")
            }
            throw .badRequest("Invalid value, expected type \(queried).")
        }
        if !isSystem, typed.references.contains(where: { $0.zoneID == nil }) {
            throw .badRequest("could not decode reference object")
        }
        return typed
    }

    /// The type of names that are given as what they are; `nil` for references, and for what is neither.
    private static func nameType(of value: JSONNode) -> String? {
        if value.string != nil { return "STRING" }
        return value.kind == .array && value.elements.allSatisfy { $0.string != nil } ? "STRING_LIST" : nil
    }
}

extension ErrorDictionary {
    /// A search for nothing would find everything.
    fileprivate static func namesNothing(_ comparator: QueryFilter.Comparator) -> Self {
        .badRequest("Invalid value: \(comparator.rawValue) needs something to look for")
    }
}

extension QueryField {
    var isSystem: Bool {
        if case .system = self { true } else { false }
    }
}
