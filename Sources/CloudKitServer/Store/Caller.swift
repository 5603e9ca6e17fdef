/// One of a container's databases, as URLs spell it.
public enum DatabaseScope: String, Hashable, Sendable, CaseIterable {
    case `public`, `private`, shared
}

/// Who calls, and where.
public struct Caller: Hashable, Sendable {
    /// Begins with `iCloud.`.
    public var container: String
    /// `development` or `production`.
    public var environment: String
    /// `_` and 32 hexadecimal digits, stable for each container.
    public var userRecordName: String
    /// What the links in answers begin with, such as `http://127.0.0.1:8080`.
    public var baseURL: String
    /// The user's row.
    package var userID: Int64
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
