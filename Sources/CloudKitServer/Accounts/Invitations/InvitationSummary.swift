import GRDB

/// An invitation that can be redeemed, as far as the server knows it: never the secret.
public struct InvitationSummary: Hashable, Sendable {
    /// Who is invited, and may be no person of the container yet.
    public var userName: String
    public var container: String
    /// `development` or `production`.
    public var environment: String
    /// What the folder is to be.
    public var zone: String
    /// Milliseconds since 1970, UTC.
    public var expiresAt: Int64
}

extension RecordStore {
    /// Every invitation that can be redeemed now, by container and name, the first one to end first.
    /// - Parameter container: `nil`: of all containers.
    public func openInvitations(container: String?) throws -> [InvitationSummary] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT user_name, container, environment, zone, expires_at FROM invitations
                    WHERE used_at IS NULL AND expires_at > ? AND coalesce(container = ?, 1)
                    ORDER BY container, user_name, expires_at, hash
                    """,
                arguments: [surroundings.now(), container]
            ).map {
                InvitationSummary(
                    userName: $0[0], container: $0[1], environment: $0[2], zone: $0[3], expiresAt: $0[4])
            }
        }
    }
}
