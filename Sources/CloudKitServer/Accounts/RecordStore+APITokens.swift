import GRDB

/// What an API token allows, beside opening its container and environment.
public struct APITokenOptions: Hashable, Sendable {
    /// Where the browser goes after a sign-in, with the web auth token in its query; `nil`: to a page that posts the token
    /// to the page that opened it, and shows it.
    public var callback: String?
    /// Requests with another `Origin` are refused; empty: none is. Requests without one always pass.
    public var origins: [WebOrigin]

    /// Any origin, and no callback, where nothing is said.
    public init(callback: String? = nil, origins: [WebOrigin] = []) {
        self.callback = callback
        self.origins = origins
    }
}

extension RecordStore {
    /// Makes an API token; shown once, because the server keeps only its hash.
    /// - Parameter environment: `development` or `production`.
    /// - Throws: ``ServerError`` `callback` where a token could be read on its way there, or by another program.
    public func addAPIToken(
        container: String, environment: String, options: APITokenOptions = APITokenOptions()
    ) throws -> String {
        try change { db in
            try insertAPIToken(
                container: container, environment: environment, by: .tokenAdd, for: nil, options: options, db)
        }
    }

    /// - Parameter userName: `nil`: for nobody in particular.
    func insertAPIToken(
        container: String, environment: String, by maker: APITokenMaker, for userName: String?,
        options: APITokenOptions, _ db: Database
    ) throws -> String {
        if let callback = options.callback { try Self.check(callback: callback) }
        let token = hex(surroundings.randomBytes(32))
        try db.execute(
            sql: """
                INSERT INTO api_tokens (hash, container, environment, created_at, callback, made_by, user_name)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                hashBlob(token), container, environment, surroundings.now(), options.callback, maker.rawValue, userName,
            ])
        for origin in Set(options.origins) {
            try db.execute(
                sql: "INSERT INTO api_token_origins VALUES (?, ?)", arguments: [hashBlob(token), origin.text])
        }
        return token
    }

    /// Only https, or this machine: the token stands in the URL.
    static func check(callback: String) throws {
        guard let origin = WebOrigin(callback), !callback.contains("#"), !origin.isPlain || origin.isLoopback else {
            throw ServerError.callback(callback)
        }
    }
}

/// An API token's row.
struct APITokenRow {
    var hash: [UInt8]
    var container: String
    var environment: String
    var callback: String?
    var origins: [String]
    /// Milliseconds since 1970, UTC, as far as it is written down.
    var usedAt: Int64?

    /// The hash of a random secret is looked up: how long that takes tells nothing about the secret.
    static func find(hash: [UInt8], _ db: Database) throws -> Self? {
        let statement = try db.cachedStatement(
            sql: "SELECT container, environment, callback, used_at FROM api_tokens WHERE hash = ?")
        guard let row = try Row.fetchOne(statement, arguments: [blob(hash)]) else { return nil }
        let origins = try db.cachedStatement(sql: "SELECT origin FROM api_token_origins WHERE hash = ?")
        return Self(
            hash: hash, container: row[0], environment: row[1], callback: row[2],
            origins: try String.fetchAll(origins, arguments: [blob(hash)]), usedAt: row[3])
    }

    /// Whether a page of that origin may use the token; `nil`: no page sent the request.
    func admits(origin: String?) -> Bool {
        guard let origin, !origins.isEmpty else { return true }
        guard let origin = WebOrigin(origin) else { return false }
        return origins.contains(origin.text)
    }
}
