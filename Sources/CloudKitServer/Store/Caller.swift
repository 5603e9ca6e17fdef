/// One of a container's databases, as URLs spell it.
public enum DatabaseScope: String, Hashable, Sendable, CaseIterable {
    case `public`, `private`, shared
}

/// Who calls, and where.
public struct Caller: Hashable, Sendable {
    /// Who calls, as far as the request's credentials say (protocol §2).
    public enum Identity: Hashable, Sendable {
        /// An API token alone: anyone at all.
        case world
        /// A signed-in person.
        case user(id: Int64, recordName: String)
        /// A server-to-server key, which writes as a user record of its own and is no person.
        case serverKey(id: Int64, recordName: String)
    }

    /// Begins with `iCloud.`.
    public var container: String
    /// `development` or `production`.
    public var environment: String
    /// The database that the request names; private for `tokens/*`, which name none.
    public var scope: DatabaseScope
    /// What the links in answers begin with, such as `http://127.0.0.1:8080`.
    public var baseURL: String
    /// Who calls.
    public var identity: Identity
    /// Where a caller without an account can sign in; good for 15 minutes.
    public var signInURL: String?
    /// Whether answers about the records of one zone bring its current sync token: the URL's `getCurrentSyncToken=true`.
    public var wantsSyncToken = false

    /// `_` and 32 hexadecimal digits, stable for each container; `_world` for a caller without an account.
    public var userRecordName: String {
        switch identity {
        case .world: "_world"
        case .user(_, let recordName), .serverKey(_, let recordName): recordName
        }
    }

    /// The row of the person or of the key; `nil` for a caller without an account, and so equal to no row's.
    package var userID: Int64? {
        switch identity {
        case .world: nil
        case .user(let id, _), .serverKey(let id, _): id
        }
    }
}

/// What a person needs to use the server; shown once, because the server keeps no secret that it can show again.
public struct NewUser: Hashable, Sendable {
    /// 64 hexadecimal digits; opens one container in one environment.
    public var apiToken: String
    /// The first web auth token of a new session.
    public var webAuthToken: String
    /// `_` and 32 hexadecimal digits.
    public var userRecordName: String
}
