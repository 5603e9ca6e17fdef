public import LosslessJSON
public import WireCoding

/// The answer of `records/changes`, which `changes/zone` replaced: one zone's page without its zone ID (protocol §3.6).
///
/// Its request is a ``ZoneChangesQuery``.
public struct RecordsChangesResponse: Hashable, Sendable, WireValue {
    /// Records and tombstones, oldest change first.
    public var records: [ItemResult<Record>]
    /// Opaque; covers what the answer says.
    public var syncToken: String
    /// `false` where absent.
    public var moreComing: Bool

    /// A page of changes, as `changes/zone` has it.
    public init(_ changes: ZoneChanges) {
        records = changes.records
        syncToken = changes.syncToken
        moreComing = changes.moreComing
    }

    /// Takes the answer of `records/changes`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        records = try json.values("records")
        syncToken = try json.requiredString("syncToken")
        moreComing = try json.bool("moreComing") ?? false
    }

    /// Writes the answer of `records/changes`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("records", list: records)
        json.member("syncToken", syncToken)
        json.member("moreComing", moreComing)
        json.endObject()
    }
}

/// The request of `zones/changes`, which `changes/database` replaced (protocol §3.7).
public struct ZonesChangesRequest: Hashable, Sendable, WireValue {
    /// Opaque; `nil` names every zone. No other spelling of its key is read.
    public var metaSyncToken: String?
    /// The most entries that the answer may have.
    public var resultsLimit: Int?

    /// Asks for the zones that changed since a token.
    public init(metaSyncToken: String? = nil, resultsLimit: Int? = nil) {
        self.metaSyncToken = metaSyncToken
        self.resultsLimit = resultsLimit
    }

    /// Takes the body of `zones/changes`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        metaSyncToken = try json.string("metaSyncToken")
        resultsLimit = try json.int("resultsLimit")
    }

    /// Writes the body of `zones/changes`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("metaSyncToken", metaSyncToken)
        json.member("resultsLimit", resultsLimit)
        json.endObject()
    }
}

/// The answer of `zones/changes`.
public struct ZonesChangesResponse: Hashable, Sendable, WireValue {
    /// One entry for each zone.
    public var zones: [ChangedZone]
    /// Opaque; covers what the answer says.
    public var metaSyncToken: String
    /// `false` where absent.
    public var moreComing: Bool

    /// Zones that changed, as `changes/database` has them.
    public init(_ changes: DatabaseChangesResponse) {
        zones = changes.zones
        metaSyncToken = changes.syncToken
        moreComing = changes.moreComing
    }

    /// Takes the answer of `zones/changes`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        zones = try json.values("zones")
        metaSyncToken = try json.requiredString("metaSyncToken")
        moreComing = try json.bool("moreComing") ?? false
    }

    /// Writes the answer of `zones/changes`.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("zones", list: zones)
        json.member("metaSyncToken", metaSyncToken)
        json.member("moreComing", moreComing)
        json.endObject()
    }
}
