import GRDB

/// A sign-in, with its user.
struct SessionRow {
    var id: Int64
    var userID: Int64
    var userRecordName: String
    var container: String
    var environment: String
    /// Milliseconds since 1970, UTC; `nil`: never.
    var expiresAt: Int64?
    /// Milliseconds; `nil`: for ever.
    var lifetime: Int64?
    var voidUpTo: Int64

    static func find(_ id: Int64, _ db: Database) throws -> Self? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT u.id, u.record_name, u.container, s.environment, s.expires_at, s.lifetime, s.void_up_to
                FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = ?
                """)
        return try Row.fetchOne(statement, arguments: [id]).map {
            SessionRow(
                id: id, userID: $0[0], userRecordName: $0[1], container: $0[2], environment: $0[3], expiresAt: $0[4],
                lifetime: $0[5], voidUpTo: $0[6])
        }
    }
}

/// How long a web auth token lives after it was issued (protocol §2.1).
enum SessionLifetime {
    static let brief: Int64 = 30 * 60 * 1000
    /// For a person who chose to stay signed in.
    static let long: Int64 = 14 * 24 * 60 * 60 * 1000
}
