/// The request of `changes/database` (protocol §3.4).
public struct DatabaseChangesRequest: Hashable, Sendable {
    /// Opaque; `nil` names every zone. Never empty.
    public var syncToken: String?
    /// The most entries that the answer may have.
    public var resultsLimit: Int?

    /// Asks for what changed since a token.
    public init(syncToken: String? = nil, resultsLimit: Int? = nil) {
        self.syncToken = syncToken
        self.resultsLimit = resultsLimit
    }
}

/// A zone that changed, or is no more.
public struct ChangedZone: Hashable, Sendable {
    /// The zone it is about.
    public var zoneID: ZoneID
    /// Opaque; covers what the answer says.
    public var syncToken: String?
    /// `true` where it is no more.
    public var deleted: Bool?

    /// A zone named by `changes/database`.
    public init(zoneID: ZoneID, syncToken: String? = nil, deleted: Bool? = nil) {
        self.zoneID = zoneID
        self.syncToken = syncToken
        self.deleted = deleted
    }
}

/// The answer of `changes/database`.
public struct DatabaseChangesResponse: Hashable, Sendable {
    /// One entry for each zone.
    public var zones: [ChangedZone]
    /// Opaque; covers what the answer says.
    public var syncToken: String
    /// `false` where absent.
    public var moreComing: Bool

    /// Zones that changed, and the token that covers them.
    public init(zones: [ChangedZone], syncToken: String, moreComing: Bool) {
        self.zones = zones
        self.syncToken = syncToken
        self.moreComing = moreComing
    }
}

/// One zone's part of a `changes/zone` request (protocol §3.5).
public struct ZoneChangesQuery: Hashable, Sendable {
    /// The zone it is about.
    public var zoneID: ZoneID
    /// Opaque; `nil` asks from the zone's beginning. Never empty.
    public var syncToken: String?
    /// Records, at most 200.
    public var resultsLimit: Int?
    /// The fields wanted in the answer; all where absent.
    public var desiredKeys: [String]?
    /// The record types wanted in the answer; all where absent.
    public var desiredRecordTypes: [String]?
    /// Newest first; not for syncing, because the token then means something else.
    public var reverse: Bool?
    /// Whether INT64 and DOUBLE values are to be answered as strings.
    public var numbersAsStrings: Bool?

    /// Asks for one zone's changes since a token.
    public init(zoneID: ZoneID, syncToken: String? = nil, resultsLimit: Int? = nil) {
        self.zoneID = zoneID
        self.syncToken = syncToken
        self.resultsLimit = resultsLimit
    }
}

/// The request of `changes/zone`. Keys at its top level are defaults for all zones: decoding fills them in.
public struct ZoneChangesRequest: Hashable, Sendable {
    /// One entry for each zone.
    public var zones: [ZoneChangesQuery]

    /// Asks for the changes of some zones.
    public init(zones: [ZoneChangesQuery]) {
        self.zones = zones
    }
}

/// One zone's page of changes.
public struct ZoneChanges: Hashable, Sendable {
    /// The zone it is about.
    public var zoneID: ZoneID
    /// Opaque; covers what the answer says.
    public var syncToken: String
    /// `false` where absent.
    public var moreComing: Bool
    /// Records and tombstones, oldest change first. A page with an errored record must not be consumed.
    public var records: [ItemResult<Record>]

    /// A page of one zone's changes and the token that covers it.
    public init(zoneID: ZoneID, syncToken: String, moreComing: Bool, records: [ItemResult<Record>]) {
        self.zoneID = zoneID
        self.syncToken = syncToken
        self.moreComing = moreComing
        self.records = records
    }
}

/// The answer of `changes/zone`: a page or an error for each zone.
public struct ZoneChangesResponse: Hashable, Sendable {
    /// One entry for each zone.
    public var zones: [ItemResult<ZoneChanges>]

    /// Pages in the order of the request.
    public init(zones: [ItemResult<ZoneChanges>]) {
        self.zones = zones
    }
}
