import CloudKitWire
import LosslessJSON
import WireCoding

/// Finds and checks the types of a record's fields (protocol §3.1, §4, §8.3).
struct FieldTypes {
    var recordType: String
    /// The types of the fields that are known, `nil` where the record type itself is not.
    var known: [String: String]?
    /// Whether types and fields may come into being by saving.
    var mayLearn: Bool

    /// The value with its type, and the type that a new field now has.
    func resolve(_ field: Field, named name: String) throws(ErrorDictionary) -> (value: FieldValue, learned: String?) {
        guard let given = field.value else { preconditionFailure("A field without a value has no type") }
        let expected = known?[name].map { NumberType.settled($0, for: given) }
        let value: FieldValue
        if case .untyped(let json) = given {
            value = try typed(json, as: expected, named: name)
        } else {
            value = given
        }
        guard let plainType = value.typeName else {
            throw .badRequest("Invalid value for field '\(name)': this type can't be set")
        }
        if field.isEncrypted, ["ASSETID", "REFERENCE"].contains(where: plainType.hasPrefix) {
            throw .badRequest("field '\(name)' can't be encrypted: assets and references never are")
        }
        let type = field.isEncrypted || expected == Self.encrypted + plainType ? Self.encrypted + plainType : plainType
        if let expected {
            if expected == type { return (value, nil) }
            if field.isEncrypted, !expected.hasPrefix(Self.encrypted) {
                throw .badRequest("Attempt to save encrypted data in non encrypted field type")
            }
            throw .badRequest(
                "invalid attempt to set value type \(type) for field '\(name)' for type '\(recordType)', "
                    + "defined to be: \(expected)")
        }
        guard mayLearn else { throw .badRequest("Field \(name) not found in \(recordType)") }
        guard !value.isEmptyList else {
            throw .badRequest("an empty list can't define the type of field '\(name)' in \(recordType)")
        }
        return (value, type)
    }

    private static let encrypted = "ENCRYPTED_"

    private func typed(_ json: [UInt8], as expected: String?, named name: String) throws(ErrorDictionary) -> FieldValue
    {
        let type: String
        if let expected {
            type = expected.hasPrefix(Self.encrypted) ? String(expected.dropFirst(Self.encrypted.count)) : expected
        } else {
            guard let document = try? JSONDocument(parsing: json), let guess = Self.guess(document.root) else {
                throw .malformed("Unexpected input")
            }
            type = guess
        }
        let text = Array("{\"type\":\"\(type)\",\"value\":".utf8) + json + [UInt8(ascii: "}")]
        guard let field = try? Field.decode(text), let value = field.value else {
            throw .badRequest("Invalid value, expected type \(type).")
        }
        return value
    }

    /// Whether a value without a type could be one of any: JSON has truth values, and lists of nothing, which are none.
    static func couldBeValue(_ json: [UInt8]) -> Bool {
        (try? JSONDocument(parsing: json)).flatMap { guess($0.root) } != nil
    }

    /// The type that a value without one has where no schema tells.
    private static func guess(_ node: JSONNode) -> String? {
        switch node.kind {
        case .string: return "STRING"
        case .number: return node.int64 == nil ? "DOUBLE" : "INT64"
        case .array:
            let types = Set(node.elements.map { guess($0) ?? "" })
            if types == ["INT64", "DOUBLE"] { return "DOUBLE_LIST" }
            guard types.count == 1, let type = types.first, !type.isEmpty, !type.hasSuffix("_LIST") else { return nil }
            return type + "_LIST"
        case .object:
            if node["recordName"] != nil { return "REFERENCE" }
            if node["fileChecksum"] != nil { return "ASSETID" }
            return node["latitude"] == nil ? nil : "LOCATION"
        case .bool, .null: return nil
        }
    }
}

extension FieldValue {
    /// As the wire spells it; `nil` where the value does not say, or says something unknown.
    var typeName: String? {
        switch self {
        case .string: "STRING"
        case .int64: "INT64"
        case .double: "DOUBLE"
        case .timestamp: "TIMESTAMP"
        case .bytes: "BYTES"
        case .reference: "REFERENCE"
        case .location: "LOCATION"
        case .asset: "ASSETID"
        case .stringList: "STRING_LIST"
        case .int64List: "INT64_LIST"
        case .doubleList: "DOUBLE_LIST"
        case .timestampList: "TIMESTAMP_LIST"
        case .bytesList: "BYTES_LIST"
        case .referenceList: "REFERENCE_LIST"
        case .locationList: "LOCATION_LIST"
        case .assetList: "ASSETID_LIST"
        case .untyped, .unknown: nil
        }
    }

    var isEmptyList: Bool {
        switch self {
        case .stringList(let list): list.isEmpty
        case .int64List(let list), .timestampList(let list): list.isEmpty
        case .doubleList(let list): list.isEmpty
        case .bytesList(let list): list.isEmpty
        case .referenceList(let list): list.isEmpty
        case .locationList(let list): list.isEmpty
        case .assetList(let list): list.isEmpty
        default: false
        }
    }

    /// Bytes that count against a record's limit: text in UTF-8, bytes raw, numbers as eight, assets by name only.
    var countedBytes: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .int64, .double, .timestamp: 8
        case .bytes(let bytes): bytes.count
        case .reference(let reference): reference.recordName.utf8.count + 8
        case .location: 64
        case .asset: 64
        case .stringList(let list): list.reduce(0) { $0 + $1.utf8.count + 1 }
        case .int64List(let list), .timestampList(let list): 8 * list.count
        case .doubleList(let list): 8 * list.count
        case .bytesList(let list): list.reduce(0) { $0 + $1.count + 1 }
        case .referenceList(let list): list.reduce(0) { $0 + $1.recordName.utf8.count + 8 }
        case .locationList(let list): 64 * list.count
        case .assetList(let list): 64 * list.count
        case .untyped(let json), .unknown(_, let json): json.count
        }
    }

    /// The assets of an ASSETID or ASSETID_LIST.
    var assets: [Asset] {
        switch self {
        case .asset(let asset): [asset]
        case .assetList(let list): list
        default: []
        }
    }

    /// The references of a REFERENCE or REFERENCE_LIST.
    var references: [Reference] {
        switch self {
        case .reference(let reference): [reference]
        case .referenceList(let list): list
        default: []
        }
    }

    /// The value with each of its assets changed.
    func mapAssets<Failure: Error>(_ change: (Asset) throws(Failure) -> Asset) throws(Failure) -> FieldValue {
        switch self {
        case .asset(let asset): return .asset(try change(asset))
        case .assetList(let list):
            var changed: [Asset] = []
            for asset in list { changed.append(try change(asset)) }
            return .assetList(changed)
        default: return self
        }
    }
}
