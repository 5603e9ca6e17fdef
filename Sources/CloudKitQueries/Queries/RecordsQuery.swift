public import CloudKitWire

/// The request of `records/query`: at most 200 records a page (protocol §3.3).
public struct RecordsQueryRequest: Hashable, Sendable {
    /// Which records, in which order.
    public var query: Query
    /// The zone to look in; the default zone where absent, unless ``zoneWide``.
    public var zoneID: ZoneID?
    /// `true` looks in all zones of the database, where no ``zoneID`` is given.
    public var zoneWide: Bool?
    /// Records, at most 200, and 200 where absent.
    public var resultsLimit: Int?
    /// Opaque, from the page before; the query must be the same again.
    public var continuationMarker: String?
    /// The fields wanted in the answer; all where absent.
    public var desiredKeys: [String]?
    /// Whether INT64 and DOUBLE values are to be answered as strings.
    public var numbersAsStrings: Bool?

    /// The first page of a query in one zone.
    public init(query: Query, zoneID: ZoneID? = nil) {
        self.query = query
        self.zoneID = zoneID
    }
}

/// A page of records that a query found.
public struct RecordsQueryResponse: Hashable, Sendable {
    /// In the order asked for; possibly fewer than asked for, although more are to come.
    public var records: [ItemResult<Record>]
    /// Opaque; absent on the last page.
    public var continuationMarker: String?
    /// The zone's current token, opaque; where the URL has `getCurrentSyncToken=true` (protocol §1).
    public var syncToken: String?

    /// A page and the marker that continues it.
    public init(records: [ItemResult<Record>], continuationMarker: String? = nil) {
        self.records = records
        self.continuationMarker = continuationMarker
    }
}
