extension Schema {
    /// The type of a field's values.
    public struct FieldType: Hashable, Sendable {
        public var element: Element
        public var isList: Bool
        /// Only of ``Element/canBeEncrypted`` ones; encrypted values are never indexed.
        public var isEncrypted: Bool

        /// A type of one value, or of a list of them.
        public init(_ element: Element, isList: Bool = false, isEncrypted: Bool = false) {
            self.element = element
            self.isList = isList
            self.isEncrypted = isEncrypted
        }

        public static let string = Self(.string)
        public static let int64 = Self(.int64)
        public static let double = Self(.double)
        public static let timestamp = Self(.timestamp)
        public static let bytes = Self(.bytes)
        public static let location = Self(.location)
        public static let reference = Self(.reference)
        public static let asset = Self(.asset)

        /// A list.
        public static func list(_ element: Element) -> Self { Self(element, isList: true) }

        /// An encrypted value.
        public static func encrypted(_ element: Element) -> Self { Self(element, isEncrypted: true) }
    }

    /// What a field's value, or each one of a list, is.
    public enum Element: Hashable, Sendable, CaseIterable {
        case string, int64, double, timestamp, bytes, location, reference, asset
        /// INT64 or DOUBLE, as nobody has said yet which.
        case number
        case numberPreferringInt64, numberPreferringDouble

        /// As schema files spell it.
        public var text: String {
            switch self {
            case .string: "STRING"
            case .int64: "INT64"
            case .double: "DOUBLE"
            case .timestamp: "TIMESTAMP"
            case .bytes: "BYTES"
            case .location: "LOCATION"
            case .reference: "REFERENCE"
            case .asset: "ASSET"
            case .number: "NUMBER"
            case .numberPreferringInt64: "NUMBER PREFERRED AS INT64"
            case .numberPreferringDouble: "NUMBER PREFERRED AS DOUBLE"
            }
        }

        /// Whether the grammar lets `ENCRYPTED` stand before it.
        public var canBeEncrypted: Bool {
            switch self {
            case .string, .int64, .double, .timestamp, .bytes, .location: true
            case .reference, .asset, .number, .numberPreferringInt64, .numberPreferringDouble: false
            }
        }
    }
}

extension Schema.FieldType: CustomStringConvertible {
    /// As schema files spell it, such as `LIST<ENCRYPTED STRING>`.
    public var description: String {
        let element = isEncrypted ? "ENCRYPTED \(element.text)" : element.text
        return isList ? "LIST<\(element)>" : element
    }

    /// Whether a field of this type may be declared as the other one: a type stays, but `NUMBER` may be settled.
    func may(become other: Self) -> Bool {
        guard self != other else { return true }
        var settled = self
        settled.element = other.element
        return element == .number && settled == other
            && [.numberPreferringInt64, .numberPreferringDouble].contains(other.element)
    }
}
