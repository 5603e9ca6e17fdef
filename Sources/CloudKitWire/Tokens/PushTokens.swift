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
        /// Fields of the record that the subscription wants to be told, each with its bare value's JSON text (`af`).
        public var additionalFields: [String: [UInt8]] = [:]

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

    /// The text that is shown, by itself or by its key in the app's tables of texts (`aps.alert`).
    public struct Alert: Hashable, Sendable {
        /// `body`; all of the alert where that is a string.
        public var body: String?
        /// `loc-key`.
        public var localizationKey: String?
        /// `loc-args`.
        public var localizationArgs: [String]?
        /// `action-loc-key`.
        public var actionLocalizationKey: String?
        /// `launch-image`.
        public var launchImage: String?

        /// An alert of this text.
        public init(body: String? = nil) {
            self.body = body
        }
    }

    /// `aps.alert`.
    public var alert: Alert?
    /// `aps.badge`: what the app's badge counts now.
    public var badge: Int?
    /// `aps.sound`: the sound's name.
    public var sound: String?
    /// `aps.category`.
    public var category: String?
    /// `aps.content-available`: whether the app is woken, in silence where nothing else is said.
    public var isContentAvailable = false
    /// `ck.p`: whether parts were left out for size.
    public var isPruned = false
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

    /// A notification that says nothing yet, to be filled in.
    public init(container: String?, notificationID: String?, userRecordName: String?) {
        self.container = container
        self.notificationID = notificationID
        self.userRecordName = userRecordName
    }
}
