/// One operation of `records/modify` (protocol §3.1).
public struct RecordOperation: Hashable, Sendable {
    /// What the record must be beforehand, and what becomes of fields that are not given.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case create, update, replace, forceUpdate, forceReplace, delete, forceDelete
    }

    /// What to do.
    public var kind: Kind
    /// The record to save, or the name of the one to delete.
    public var record: Record
    /// The fields wanted in answers; all where absent.
    public var desiredKeys: [String]?

    /// An operation on one record.
    public init(_ kind: Kind, _ record: Record, desiredKeys: [String]? = nil) {
        self.kind = kind
        self.record = record
        self.desiredKeys = desiredKeys
    }
}

/// The request of `records/modify`: at most 200 operations, each record at most once.
public struct RecordsModifyRequest: Hashable, Sendable {
    /// In the order in which they are applied.
    public var operations: [RecordOperation]
    /// The zone of all records; the default zone where absent.
    public var zoneID: ZoneID?
    /// `true` where absent, in custom zones.
    public var atomic: Bool?
    /// The fields wanted in answers; all where absent.
    public var desiredKeys: [String]?
    /// Whether INT64 and DOUBLE values are to be answered as strings.
    public var numbersAsStrings: Bool?

    /// Operations on one zone's records.
    public init(operations: [RecordOperation], zoneID: ZoneID?, atomic: Bool? = nil) {
        self.operations = operations
        self.zoneID = zoneID
        self.atomic = atomic
    }
}

/// The answer of `records/modify` and `records/lookup`: one entry for each requested item, in order.
public struct RecordsResponse: Hashable, Sendable {
    /// One entry for each record.
    public var records: [ItemResult<Record>]
    /// The zone's current token, opaque; where the URL has `getCurrentSyncToken=true` (protocol §1).
    public var syncToken: String?

    /// Results in the order of the request.
    public init(records: [ItemResult<Record>]) {
        self.records = records
    }
}

/// The request of `records/lookup`: at most 200 names (protocol §3.2).
public struct RecordsLookupRequest: Hashable, Sendable {
    /// The names, in the order of the answer.
    public var recordNames: [String]
    /// The zone of all records; the default zone where absent.
    public var zoneID: ZoneID?
    /// The fields wanted in answers; all where absent.
    public var desiredKeys: [String]?
    /// The fields wanted of single records, by their place in ``recordNames``.
    public var desiredKeysOfRecords: [Int: [String]] = [:]
    /// Whether INT64 and DOUBLE values are to be answered as strings.
    public var numbersAsStrings: Bool?

    /// Names of records in one zone.
    public init(recordNames: [String], zoneID: ZoneID?, desiredKeys: [String]? = nil) {
        self.recordNames = recordNames
        self.zoneID = zoneID
        self.desiredKeys = desiredKeys
    }
}
