extension Schema {
    /// What queries may ask of a field.
    public struct Indexes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        /// Bits; what is stored and written is ``texts``.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Equality, membership, places.
        public static let queryable = Self(rawValue: 1)
        /// Ranges and order.
        public static let sortable = Self(rawValue: 2)
        /// Words.
        public static let searchable = Self(rawValue: 4)

        /// Every index with its keyword, in the order in which they are written.
        public static let keywords: [(index: Indexes, text: String)] = [
            (.queryable, "QUERYABLE"), (.sortable, "SORTABLE"), (.searchable, "SEARCHABLE"),
        ]

        /// The keywords of these indexes.
        public var texts: [String] {
            Self.keywords.filter { contains($0.index) }.map(\.text)
        }

        /// The index that a keyword in capitals stands for.
        public init?(keyword: String) {
            guard let found = Self.keywords.first(where: { $0.text == keyword }) else { return nil }
            self = found.index
        }
    }
}

extension Schema.FieldType {
    /// The indexes that make sense for values of this type (protocol §8.1; only that encrypted values have none is
    /// documented, the rest is what a query can ask).
    public var possibleIndexes: Schema.Indexes {
        guard !isEncrypted else { return [] }
        switch (element, isList) {
        case (.asset, _), (.bytes, _): return []
        case (.string, false): return [.queryable, .sortable, .searchable]
        case (.string, true): return [.queryable, .searchable]
        case (.reference, _), (_, true): return .queryable
        case (.int64, false), (.double, false), (.timestamp, false), (.location, false), (.number, false),
            (.numberPreferringInt64, false), (.numberPreferringDouble, false):
            return [.queryable, .sortable]
        }
    }
}

extension Schema.Field {
    /// The indexes that make sense for this field. Records can be sorted by their names although these are references.
    public var possibleIndexes: Schema.Indexes {
        switch Schema.SystemField(rawValue: name) {
        case .recordID: [.queryable, .sortable]
        case .etag: [.queryable, .sortable]
        default: type.possibleIndexes
        }
    }
}
