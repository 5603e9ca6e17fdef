/// Names a record zone (protocol §4, "Zone ID").
public struct ZoneID: Hashable, Sendable {
    /// ASCII, at most 255 characters, `_defaultZone` where absent on the wire.
    public var zoneName: String
    /// The owner's user record name; required in the shared database.
    public var ownerRecordName: String?
    /// `DEFAULT_ZONE` or `REGULAR_CUSTOM_ZONE`, in answers only.
    public var zoneType: String?

    /// The name of the zone that every database has, which keeps no change feed.
    public static let defaultZoneName = "_defaultZone"

    /// Names a zone; leave the owner out for one's own.
    public init(zoneName: String, ownerRecordName: String? = nil, zoneType: String? = nil) {
        self.zoneName = zoneName
        self.ownerRecordName = ownerRecordName
        self.zoneType = zoneType
    }
}
