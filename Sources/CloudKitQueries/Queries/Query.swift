public import CloudKitWire

/// Which records are wanted, and in which order (protocol §3.3).
public struct Query: Hashable, Sendable {
    /// The one type that all of them have.
    public var recordType: String
    /// Every one of them must hold.
    public var filters: [QueryFilter]
    /// The first decides, the next where it finds two records equal.
    public var sorts: [QuerySort]

    /// Asks for records of one type.
    public init(recordType: String, filters: [QueryFilter] = [], sorts: [QuerySort] = []) {
        self.recordType = recordType
        self.filters = filters
        self.sorts = sorts
    }
}

/// What a filter or a sort looks at.
public enum QueryField: Hashable, Sendable {
    /// A field of the record type, `fieldName` on the wire.
    case user(String)
    /// What every record has, `systemFieldName` on the wire.
    case system(SystemField)
}

/// What every record has besides its fields.
public enum SystemField: String, Hashable, Sendable, CaseIterable {
    case recordName, share, parent, createdTimestamp, createdUserRecordName, modifiedTimestamp, modifiedUserRecordName

    /// The name that schemas give it.
    public var schemaName: String {
        switch self {
        case .recordName: "___recordID"
        case .share: "___share"
        case .parent: "___parent"
        case .createdTimestamp: "___createTime"
        case .createdUserRecordName: "___createdBy"
        case .modifiedTimestamp: "___modTime"
        case .modifiedUserRecordName: "___modifiedBy"
        }
    }
}

/// One condition.
public struct QueryFilter: Hashable, Sendable {
    /// How the field is compared with the value.
    public enum Comparator: String, Hashable, Sendable, CaseIterable {
        case equals = "EQUALS"
        case notEquals = "NOT_EQUALS"
        case lessThan = "LESS_THAN"
        case lessThanOrEquals = "LESS_THAN_OR_EQUALS"
        case greaterThan = "GREATER_THAN"
        case greaterThanOrEquals = "GREATER_THAN_OR_EQUALS"
        case near = "NEAR"
        case containsAllTokens = "CONTAINS_ALL_TOKENS"
        case containsAnyTokens = "CONTAINS_ANY_TOKENS"
        case `in` = "IN"
        case notIn = "NOT_IN"
        case beginsWith = "BEGINS_WITH"
        case notBeginsWith = "NOT_BEGINS_WITH"
        case listContains = "LIST_CONTAINS"
        case notListContains = "NOT_LIST_CONTAINS"
        case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
        case notListMemberBeginsWith = "NOT_LIST_MEMBER_BEGINS_WITH"
        case listContainsAll = "LIST_CONTAINS_ALL"
        case notListContainsAll = "NOT_LIST_CONTAINS_ALL"
        case notListContainsAny = "NOT_LIST_CONTAINS_ANY"
    }

    /// How to compare.
    public var comparator: Comparator
    /// What to compare.
    public var field: QueryField
    /// What to compare it with.
    public var value: FieldValue
    /// Metres, with `NEAR`.
    public var distance: Double?

    /// A condition on one field.
    public init(_ comparator: Comparator, _ field: QueryField, _ value: FieldValue, distance: Double? = nil) {
        self.comparator = comparator
        self.field = field
        self.value = value
        self.distance = distance
    }
}

/// One key of an order.
public struct QuerySort: Hashable, Sendable {
    /// What to sort by.
    public var field: QueryField
    /// `true` where absent.
    public var ascending: Bool
    /// With a field of places: sorts by the distance from here.
    public var relativeLocation: Location?

    /// An order by one field.
    public init(_ field: QueryField, ascending: Bool = true, relativeLocation: Location? = nil) {
        self.field = field
        self.ascending = ascending
        self.relativeLocation = relativeLocation
    }
}
