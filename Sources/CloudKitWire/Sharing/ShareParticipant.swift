/// A person in a share: who it is, how they came to it, and what they may do (protocol §4, "Share enums").
public struct ShareParticipant: Hashable, Sendable {
    /// How somebody came to a share.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case owner = "OWNER"
        case administrator = "ADMINISTRATOR"
        /// Was invited.
        case user = "USER"
        /// Came by the link of a share that is open to everyone.
        case publicUser = "PUBLIC_USER"
        case unknown = "UNKNOWN"
    }

    /// Whether somebody who was invited came.
    public enum Acceptance: String, Hashable, Sendable, CaseIterable {
        case invited = "INVITED"
        case accepted = "ACCEPTED"
        case removed = "REMOVED"
        case unknown = "UNKNOWN"
    }

    /// Stable in its share; in answers.
    public var participantID: String?
    /// `nil` for somebody of whom only ``lookupInfo`` is known.
    public var userRecordName: String?
    /// As the person spells it.
    public var givenName: String?
    /// As the person spells it.
    public var familyName: String?
    /// By what the person was invited.
    public var lookupInfo: UserLookupInfo?
    /// How they came to the share.
    public var kind: Kind?
    /// Whether they came.
    public var acceptance: Acceptance?
    /// What they may do.
    public var permission: SharePermission?

    /// Somebody who is invited by what is known of them.
    public init(inviting lookupInfo: UserLookupInfo? = nil, permission: SharePermission? = nil) {
        self.lookupInfo = lookupInfo
        self.permission = permission
    }
}
