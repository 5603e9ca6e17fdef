/// What a record dictionary says about sharing, beside its fields (protocol §3.1, "Sharing by web").
///
/// A share is a record of type ``recordType``. Saving one makes the record that ``forRecord`` names, with everything whose
/// `parent` leads to it, readable for its participants; the share that is named ``zoneWideShareName`` shares its whole zone.
public struct RecordSharing: Hashable, Sendable {
    /// In requests: whether the record gets a short GUID, by which others find its share.
    public var createShortGUID: Bool?
    /// By what others find the share: part of a link, and for a share that anyone may join as good as a key.
    public var shortGUID: String?
    /// The record at the top of the shared hierarchy; absent in a share of a whole zone.
    public var forRecord: SharedRoot?
    /// What whoever knows the short GUID may do; `none` lets in only those invited.
    public var publicPermission: SharePermission?
    /// Everyone who was invited or joined, the owner first.
    public var participants: [ShareParticipant]?
    /// In answers.
    public var owner: ShareParticipant?
    /// In answers: the caller, where the caller takes part.
    public var currentUserParticipant: ShareParticipant?

    /// The type of records that are shares. It is the only one with a dot.
    public static let recordType = "cloudkit.share"
    /// The record name of a share that shares its whole zone.
    public static let zoneWideShareName = "cloudkit.zoneshare"

    /// Says nothing yet.
    public init() {}
}

/// The record at the top of a shared hierarchy.
public struct SharedRoot: Hashable, Sendable {
    /// In the share's own zone.
    public var recordName: String
    /// As it was when the share was made; a share can only be made of what the caller knows.
    public var recordChangeTag: String?

    /// Names a record.
    public init(recordName: String, recordChangeTag: String? = nil) {
        self.recordName = recordName
        self.recordChangeTag = recordChangeTag
    }
}

/// What a participant may do with the records of a share.
public enum SharePermission: String, Hashable, Sendable, CaseIterable {
    case none = "NONE"
    case readOnly = "READ_ONLY"
    case readWrite = "READ_WRITE"
    /// Also what a later version of the protocol may say.
    case unknown = "UNKNOWN"
}
