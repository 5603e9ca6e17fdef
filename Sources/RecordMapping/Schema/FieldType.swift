public import CloudKitWire

/// The type of a field, spelled as the protocol spells it (protocol §4, "Field value").
public enum FieldType: String, Hashable, Sendable, CaseIterable {
    case string = "STRING"
    case int64 = "INT64"
    case double = "DOUBLE"
    case timestamp = "TIMESTAMP"
    case bytes = "BYTES"
    case reference = "REFERENCE"
    case location = "LOCATION"
    case asset = "ASSETID"
    case stringList = "STRING_LIST"
    case int64List = "INT64_LIST"
    case doubleList = "DOUBLE_LIST"
    case timestampList = "TIMESTAMP_LIST"
    case bytesList = "BYTES_LIST"
    case referenceList = "REFERENCE_LIST"
    case locationList = "LOCATION_LIST"
    case assetList = "ASSETID_LIST"

    /// The type of a value, or `nil` where the value tells none that is known here.
    public init?(of value: FieldValue) {
        switch value {
        case .string: self = .string
        case .int64: self = .int64
        case .double: self = .double
        case .timestamp: self = .timestamp
        case .bytes: self = .bytes
        case .reference: self = .reference
        case .location: self = .location
        case .asset: self = .asset
        case .stringList: self = .stringList
        case .int64List: self = .int64List
        case .doubleList: self = .doubleList
        case .timestampList: self = .timestampList
        case .bytesList: self = .bytesList
        case .referenceList: self = .referenceList
        case .locationList: self = .locationList
        case .assetList: self = .assetList
        case .untyped, .unknown: return nil
        }
    }

    /// The type of a list's elements, or `nil` for a type that is no list.
    public var element: FieldType? {
        switch self {
        case .stringList: .string
        case .int64List: .int64
        case .doubleList: .double
        case .timestampList: .timestamp
        case .bytesList: .bytes
        case .referenceList: .reference
        case .locationList: .location
        case .assetList: .asset
        default: nil
        }
    }

    /// The type of lists of this type, or `nil` for a list.
    public var list: FieldType? {
        FieldType.allCases.first { $0.element == self }
    }

    /// What a person calls values of this type, with an article: `a text`, `a list of numbers`.
    var spoken: String {
        switch self {
        case .string: "a text (STRING)"
        case .int64: "a whole number (INT64)"
        case .double: "a number (DOUBLE)"
        case .timestamp: "a time such as \"2026-01-31T12:00:00.000Z\" (TIMESTAMP)"
        case .bytes: "base64 text (BYTES)"
        case .reference: "the path of a record's file (REFERENCE)"
        case .location: "an object with latitude and longitude (LOCATION)"
        case .asset: "the path of a file (ASSET)"
        case .stringList: "a list of texts (STRING_LIST)"
        case .int64List: "a list of whole numbers (INT64_LIST)"
        case .doubleList: "a list of numbers (DOUBLE_LIST)"
        case .timestampList: "a list of times such as \"2026-01-31T12:00:00.000Z\" (TIMESTAMP_LIST)"
        case .bytesList: "a list of base64 texts (BYTES_LIST)"
        case .referenceList: "a list of paths of records' files (REFERENCE_LIST)"
        case .locationList: "a list of objects with latitude and longitude (LOCATION_LIST)"
        case .assetList: "a list of paths of files (ASSETID_LIST)"
        }
    }
}
