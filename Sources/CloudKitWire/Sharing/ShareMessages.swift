/// The request of `records/resolve` and `records/accept` (protocol §3.12).
public struct SharesRequest: Hashable, Sendable {
    /// Which shares, at most 200.
    public var shortGUIDs: [ShortGUID]

    /// Asks for some shares.
    public init(shortGUIDs: [ShortGUID]) {
        self.shortGUIDs = shortGUIDs
    }
}

/// By what a share is found, and what is wanted of it.
public struct ShortGUID: Hashable, Sendable {
    /// As the share's record dictionary or its link has it.
    public var value: String
    /// Whether the answer is to hold the record at the top of the hierarchy.
    public var shouldFetchRootRecord: Bool?
    /// The fields wanted of that record; all where absent.
    public var rootRecordDesiredKeys: [String]?

    /// Names a share.
    public init(_ value: String, shouldFetchRootRecord: Bool? = nil, rootRecordDesiredKeys: [String]? = nil) {
        self.value = value
        self.shouldFetchRootRecord = shouldFetchRootRecord
        self.rootRecordDesiredKeys = rootRecordDesiredKeys
    }
}

/// The answer of `records/resolve` and `records/accept`: one entry for each short GUID, in order.
public struct SharesResponse: Hashable, Sendable {
    /// One entry for each share.
    public var results: [ItemResult<ShareMetadata>]

    /// Results in the order of the request.
    public init(results: [ItemResult<ShareMetadata>]) {
        self.results = results
    }
}

/// A share, as whoever has its link sees it.
public struct ShareMetadata: Hashable, Sendable {
    /// As it was asked for.
    public var shortGUID: ShortGUID
    /// The app's container.
    public var containerIdentifier: String
    /// `development` or `production`.
    public var environment: String
    /// Where the caller finds the records: `SHARED`, or `PRIVATE` for the owner.
    public var databaseScope: String
    /// With its owner.
    public var zoneID: ZoneID
    /// The record at the top of the hierarchy; `nil` for a share of a whole zone.
    public var rootRecordName: String?
    /// Only where it was asked for.
    public var rootRecord: Record?
    /// The share.
    public var share: Record?
    /// Whose the records are.
    public var ownerIdentity: UserIdentity?
    /// The caller's.
    public var participantStatus: ShareParticipant.Acceptance?
    /// The caller's.
    public var participantPermission: SharePermission?
    /// The caller's.
    public var participantType: ShareParticipant.Kind?

    /// A share in a zone.
    public init(shortGUID: ShortGUID, container: String, environment: String, databaseScope: String, zoneID: ZoneID) {
        self.shortGUID = shortGUID
        containerIdentifier = container
        self.environment = environment
        self.databaseScope = databaseScope
        self.zoneID = zoneID
    }
}
