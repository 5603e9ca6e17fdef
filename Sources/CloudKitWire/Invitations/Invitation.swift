/// What redeems an invitation: the body of `POST /invite`, which is this project's own and none of Apple's.
///
/// An invitation's link is `https://HOST/invite#SECRET`. The part after `#` is sent by no browser, so that a secret stands
/// in no server's or proxy's log and no preview of a link spends it; only who redeems it sends it, in a body.
///
/// The answer is an ``InvitedAccount`` with the status 200, or an ``InvitationRefusal``: 404 for an unknown secret, 410
/// for one that is no longer good.
public struct InvitationRequest: Hashable, Sendable {
    /// The text after the link's `#`.
    public var secret: String

    /// A request for one secret.
    public init(secret: String) {
        self.secret = secret
    }
}

/// All that a folder needs to be set up.
public struct InvitedAccount: Hashable, Sendable {
    /// Begins with `iCloud.`.
    public var container: String
    /// `development` or `production`.
    public var environment: String
    /// The zone in the user's private database that the invitation is for.
    public var zone: String
    /// What the server's owner calls the user.
    public var userName: String
    /// `_` and 32 hexadecimal digits.
    public var userRecordName: String
    /// Made for this invitation.
    public var apiToken: String
    /// The first one of a sign-in that was made for this invitation.
    public var webAuthToken: String

    /// An account with both tokens.
    public init(
        container: String, environment: String, zone: String, userName: String, userRecordName: String,
        apiToken: String, webAuthToken: String
    ) {
        self.container = container
        self.environment = environment
        self.zone = zone
        self.userName = userName
        self.userRecordName = userRecordName
        self.apiToken = apiToken
        self.webAuthToken = webAuthToken
    }
}

/// Why a secret opens nothing.
public enum InvitationRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// Never made here, or taken back with its user.
    case unknown
    /// Redeemed before.
    case used
    /// Not redeemed in time.
    case expired
}
