import GRDB
import Synchronization

/// What a container has of a person.
public struct UserSummary: Hashable, Sendable {
    /// `_` and 32 hexadecimal digits.
    public var userRecordName: String
    /// Custom zones of the private databases, of both environments.
    public var zones: Int
    /// Records in the private databases.
    public var records: Int
    /// Sign-ins that are good.
    public var sessions: Int
}

/// Ending sign-ins and people. A running server sees it with the next request, whichever process did it: it reads sessions
/// from the database each time.
extension RecordStore {
    /// What there is of a person; `nil` where the container has no such person.
    public func summary(ofUser name: String, container: String) throws -> UserSummary? {
        try read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT u.record_name,
                        (SELECT count(*) FROM zones z JOIN databases d ON d.id = z.database_id
                            WHERE d.owner_id = u.id AND z.deleted = 0 AND z.name <> '_defaultZone'),
                        (SELECT count(*) FROM records r JOIN zones z ON z.id = r.zone_id
                            JOIN databases d ON d.id = z.database_id
                            WHERE d.owner_id = u.id AND z.deleted = 0 AND r.fields IS NOT NULL),
                        (SELECT count(*) FROM sessions s WHERE s.user_id = u.id AND coalesce(s.expires_at > ?, 1))
                    FROM users u WHERE u.container = ? AND u.name = ? AND u.is_key = 0
                    """,
                arguments: [surroundings.now(), container, name])
            return row.map { UserSummary(userRecordName: $0[0], zones: $0[1], records: $0[2], sessions: $0[3]) }
        }
    }

    /// Removes a person, with private databases, sign-ins, invitations, subscriptions and push tokens, in both environments.
    ///
    /// What they wrote into the public database stays, and who wrote it. Assets that no record names any more go within two
    /// hours, or when the server starts next. A person who is added by the same name is another one.
    /// - Returns: `false` where the container has no such person.
    public func removeUser(_ name: String, container: String) throws -> Bool {
        try change { db in
            // Who takes part in a share of theirs is told that the zone is gone.
            let zones = try Row.fetchAll(
                db,
                sql: """
                    SELECT z.id, d.environment FROM zones z JOIN databases d ON d.id = z.database_id
                    JOIN users u ON u.id = d.owner_id WHERE u.container = ? AND u.name = ? AND u.is_key = 0
                    """,
                arguments: [container, name])
            let ends = zones.map { ($0[0] as Int64, SharedFeed(container: container, environment: $0[1], db: db)) }
            let viewers = Set(try ends.flatMap { try $1.viewers(of: $0) })
            try leaveNumbersOut(of: viewers.sorted(), db)
            for (zone, feed) in ends { _ = try feed.end(zone: zone) }
            try withdrawInvitations(ofUser: name, container: container, db)
            // All that belongs to the row goes with it.
            try db.execute(
                sql: "DELETE FROM users WHERE container = ? AND name = ? AND is_key = 0", arguments: [container, name])
            return db.changesCount == 1
        }
    }

    /// Ends every sign-in of a person, the invitations to one, and what their devices would still be told by push, in both
    /// environments. Data and password stay.
    /// - Returns: How many sign-ins ended; `nil` where the container has no such person.
    public func signOutUser(_ name: String, container: String) throws -> Int? {
        let ended = try change { db -> [Int64]? in
            let id = try Int64.fetchOne(
                db, sql: "SELECT id FROM users WHERE container = ? AND name = ? AND is_key = 0",
                arguments: [container, name])
            guard let id else { return nil }
            try db.execute(sql: "DELETE FROM push_tokens WHERE user_id = ?", arguments: [id])
            try withdrawInvitations(ofUser: name, container: container, db)
            return try Int64.fetchAll(db, sql: "DELETE FROM sessions WHERE user_id = ? RETURNING id", arguments: [id])
        }
        rotations.withLock { rotations in for session in ended ?? [] { rotations[session] = nil } }
        return ended?.count
    }
}
