import Foundation
import GRDB

/// An API token, as far as the server knows it: never the token itself.
public struct APITokenSummary: Hashable, Sendable {
    /// 64 hexadecimal digits: the token's SHA-256, from which nobody gets the token.
    public var id: String
    public var container: String
    /// `development` or `production`.
    public var environment: String
    /// Milliseconds since 1970, UTC.
    public var createdAt: Int64
    /// Where a sign-in with it ends.
    public var callback: String?
    /// Whose requests it admits; empty: everybody's.
    public var origins: [String]
    /// `nil` where an earlier version made it, which did not write that down.
    public var maker: APITokenMaker?
    /// For whom it was made, as that person was called then; `nil`: for nobody in particular, or unknown as the maker is.
    /// Whoever has the token can use it.
    public var userName: String?
    /// Milliseconds since 1970, UTC: when a request last came with it, up to ``RecordStore/tokenUseLag`` earlier. `nil`: none
    /// did, or none since this is written down.
    public var usedAt: Int64?
}

/// A server-to-server key, by its public half.
public struct ServerKeySummary: Hashable, Sendable {
    /// 64 hexadecimal digits, as `X-Apple-CloudKit-Request-KeyID`.
    public var id: String
    public var container: String
    /// `development` or `production`.
    public var environment: String
    /// Milliseconds since 1970, UTC.
    public var createdAt: Int64
    /// As whom it writes.
    public var userRecordName: String
}

/// A person of any container.
public struct PersonSummary: Hashable, Sendable {
    public var name: String
    public var container: String
    /// Milliseconds since 1970, UTC.
    public var createdAt: Int64
    /// What the container has of them.
    public var summary: UserSummary
}

/// What whoever runs a server sees of its accounts, and takes back. A running server sees the end of a token or a key with
/// the next request.
extension RecordStore {
    /// Every API token, oldest first.
    /// - Parameter container: `nil`: of all containers.
    public func apiTokens(container: String?) throws -> [APITokenSummary] {
        try read { db in
            let origins = try Row.fetchAll(db, sql: "SELECT hash, origin FROM api_token_origins ORDER BY origin")
            let byToken = Dictionary(grouping: origins) { hex($0[0] as Data) }
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT hash, container, environment, created_at, callback, made_by, user_name, used_at FROM api_tokens
                    WHERE coalesce(container = ?, 1) ORDER BY created_at, hash
                    """,
                arguments: [container]
            ).map {
                let id = hex($0[0] as Data)
                return APITokenSummary(
                    id: id, container: $0[1], environment: $0[2], createdAt: $0[3], callback: $0[4],
                    origins: (byToken[id] ?? []).map { $0[1] },
                    maker: ($0[5] as String?).flatMap { APITokenMaker(rawValue: $0) }, userName: $0[6], usedAt: $0[7])
            }
        }
    }

    /// Ends an API token: whatever uses it is refused from the next request on.
    /// - Returns: `false` where there is none of that ID.
    public func revokeAPIToken(id: String) throws -> Bool {
        guard let hash = bytes(hex: id) else { return false }
        return try change { db in
            try db.execute(sql: "DELETE FROM api_tokens WHERE hash = ?", arguments: [blob(hash)])
            return db.changesCount == 1
        }
    }

    /// Every server-to-server key, oldest first.
    /// - Parameter container: `nil`: of all containers.
    public func serverKeys(container: String?) throws -> [ServerKeySummary] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT k.id, k.container, k.environment, k.created_at, u.record_name
                    FROM server_keys k JOIN users u ON u.id = k.user_id
                    WHERE coalesce(k.container = ?, 1) ORDER BY k.created_at, k.id
                    """,
                arguments: [container]
            ).map {
                ServerKeySummary(
                    id: $0[0], container: $0[1], environment: $0[2], createdAt: $0[3], userRecordName: $0[4])
            }
        }
    }

    /// Ends a server-to-server key. What it wrote stays, and as whom.
    /// - Returns: `false` where there is none of that ID.
    public func revokeServerKey(id: String) throws -> Bool {
        try change { db in
            try db.execute(sql: "DELETE FROM server_keys WHERE id = ?", arguments: [id])
            return db.changesCount == 1
        }
    }

    /// Every person, by container and name.
    /// - Parameter container: `nil`: of all containers.
    public func people(container: String?) throws -> [PersonSummary] {
        let rows = try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT name, container, created_at FROM users WHERE is_key = 0 AND coalesce(container = ?, 1)
                    ORDER BY container, name
                    """,
                arguments: [container])
        }
        return try rows.compactMap { row in
            // One who was removed meanwhile is nobody.
            try summary(ofUser: row[0], container: row[1]).map {
                PersonSummary(name: row[0], container: row[1], createdAt: row[2], summary: $0)
            }
        }
    }
}
