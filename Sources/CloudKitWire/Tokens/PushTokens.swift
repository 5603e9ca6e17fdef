/// The request of `tokens/create` (without a token) and `tokens/register` (with one) (protocol §3.11).
public struct PushTokenRequest: Hashable, Sendable {
    /// `development` or `production`.
    public var apnsEnvironment: String
    /// Names the courier's queue.
    public var apnsToken: String?
    /// A stable string for each device.
    public var clientId: String?

    /// Asks for a token, or registers one.
    public init(apnsEnvironment: String, apnsToken: String? = nil, clientId: String? = nil) {
        self.apnsEnvironment = apnsEnvironment
        self.apnsToken = apnsToken
        self.clientId = clientId
    }
}

/// The answer of `tokens/create` and `tokens/register`.
public struct PushTokenResponse: Hashable, Sendable {
    /// `development` or `production`.
    public var apnsEnvironment: String
    /// Names the courier's queue.
    public var apnsToken: String
    /// Long-polled with GET, verbatim and without credentials; lives 12 hours.
    public var webcourierURL: String

    /// A token and its courier.
    public init(apnsEnvironment: String, apnsToken: String, webcourierURL: String) {
        self.apnsEnvironment = apnsEnvironment
        self.apnsToken = apnsToken
        self.webcourierURL = webcourierURL
    }
}

/// A push that the courier delivers. Decoding gives `nil` parts for whatever is foreign or malformed.
public struct PushNotification: Hashable, Sendable {
    /// Which subscription fired, and for which zone.
    public struct Target: Hashable, Sendable {
        /// The subscription's ID (`sid`).
        public var subscriptionID: String?
        /// The zone's name (`zid`) and owner (`zoid`).
        public var zoneName: String?
        /// The owner of the zone (`zoid`).
        public var zoneOwner: String?
        /// 1 public, 2 private, 3 shared (`dbs`).
        public var databaseScope: Int?
        /// A query subscription's record (`rid`), and what became of it (`fo`).
        public var recordName: String?
        /// 1 created, 2 updated, 3 deleted (`fo`).
        public var firedOn: Int?

        /// A target with its subscription and database.
        public init(
            subscriptionID: String?, zoneName: String? = nil, zoneOwner: String? = nil, databaseScope: Int? = nil
        ) {
            self.subscriptionID = subscriptionID
            self.zoneName = zoneName
            self.zoneOwner = zoneOwner
            self.databaseScope = databaseScope
        }
    }

    /// `cid`.
    public var container: String?
    /// `nid`.
    public var notificationID: String?
    /// `ckuserid`.
    public var userRecordName: String?
    /// `fet`: a zone subscription's push.
    public var zone: Target?
    /// `met`: a database subscription's push.
    public var database: Target?
    /// `qry`: a query subscription's push.
    public var query: Target?

    /// An empty notification, to be filled in.
    public init(container: String?, notificationID: String?, userRecordName: String?) {
        self.container = container
        self.notificationID = notificationID
        self.userRecordName = userRecordName
    }
}
