/// A zone dictionary (protocol §3.7).
public struct Zone: Hashable, Sendable {
    /// The zone it is about.
    public var zoneID: ZoneID
    /// The zone's current token; the default zone has none.
    public var syncToken: String?
    /// Whether the zone takes requests that are saved as a whole or not at all.
    public var atomic: Bool?
    /// `true` in the acknowledgement of a delete.
    public var deleted: Bool?

    /// A zone with its ID.
    public init(zoneID: ZoneID, syncToken: String? = nil, atomic: Bool? = nil, deleted: Bool? = nil) {
        self.zoneID = zoneID
        self.syncToken = syncToken
        self.atomic = atomic
        self.deleted = deleted
    }
}

/// The answer of `zones/list`, `zones/lookup` and `zones/modify`.
public struct ZonesResponse: Hashable, Sendable {
    /// One entry for each zone.
    public var zones: [ItemResult<Zone>]

    /// Results in the order of the request.
    public init(zones: [ItemResult<Zone>]) {
        self.zones = zones
    }
}

/// The request of `zones/lookup`.
public struct ZonesLookupRequest: Hashable, Sendable {
    /// One entry for each zone.
    public var zones: [ZoneID]

    /// Asks for the dictionaries of some zones.
    public init(zones: [ZoneID]) {
        self.zones = zones
    }
}

/// One operation of `zones/modify`.
public struct ZoneOperation: Hashable, Sendable {
    /// Zones are only created and deleted.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case create, delete
    }

    /// What to do.
    public var kind: Kind
    /// The zone it is about.
    public var zoneID: ZoneID

    /// An operation on one zone.
    public init(_ kind: Kind, _ zoneID: ZoneID) {
        self.kind = kind
        self.zoneID = zoneID
    }
}

/// The request of `zones/modify`: at most 200 operations, each tried by itself.
public struct ZonesModifyRequest: Hashable, Sendable {
    /// In the order in which they are applied.
    public var operations: [ZoneOperation]

    /// Operations in the order in which they are applied.
    public init(operations: [ZoneOperation]) {
        self.operations = operations
    }
}
