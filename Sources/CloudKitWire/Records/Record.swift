/// A record dictionary (protocol §4, "Record"), or the tombstone of a deleted record.
public struct Record: Hashable, Sendable {
    /// Unique in its zone, at most 255 ASCII characters; in a `create` the server makes a UUID where absent.
    public var recordName: String?
    /// `[A-Za-z][A-Za-z0-9_]*`; a tombstone often has none.
    public var recordType: String?
    /// Opaque: compare for equality only.
    public var recordChangeTag: String?
    /// By name.
    public var fields: [String: Field]
    /// When and by whom.
    public var created: RecordStamp?
    /// When and by whom, last.
    public var modified: RecordStamp?
    /// Present in answers; `true` makes the dictionary a tombstone.
    public var deleted: Bool?
    /// In answers that span zones; ignored in requests.
    public var zoneID: ZoneID?
    /// The record name of the parent in the sharing hierarchy.
    public var parent: String?
    /// The share that shares the record, where it is the top of a shared hierarchy.
    public var share: ShareReference?
    /// What the dictionary says about sharing; in shares, and in records with a short GUID.
    public var sharing: RecordSharing?

    /// A record dictionary with the keys that most requests need.
    public init(
        recordName: String? = nil, recordType: String? = nil, recordChangeTag: String? = nil,
        fields: [String: Field] = [:]
    ) {
        self.recordName = recordName
        self.recordType = recordType
        self.recordChangeTag = recordChangeTag
        self.fields = fields
    }
}

/// Names the share of a record.
public struct ShareReference: Hashable, Sendable {
    /// Of the share.
    public var recordName: String
    /// The zone of both.
    public var zoneID: ZoneID?

    /// Names a share.
    public init(recordName: String, zoneID: ZoneID? = nil) {
        self.recordName = recordName
        self.zoneID = zoneID
    }
}

/// When, by whom and on which device a record was created or modified.
public struct RecordStamp: Hashable, Sendable {
    /// Milliseconds since 1970, UTC.
    public var timestamp: Int64
    /// Who did it.
    public var userRecordName: String?
    /// Where it was done.
    public var deviceID: String?

    /// Takes the time in milliseconds since 1970, UTC.
    public init(timestamp: Int64, userRecordName: String? = nil, deviceID: String? = nil) {
        self.timestamp = timestamp
        self.userRecordName = userRecordName
        self.deviceID = deviceID
    }
}
