public import CloudKitWire
import GRDB

/// What a person is invited to.
public struct InvitationOffer: Hashable, Sendable {
    /// Who; made when the invitation is redeemed, where the container has no such person by then.
    public var userName: String
    /// The zone that the folder is to be.
    public var zone: String
    /// How long it can be redeemed.
    public var validity: Duration
    /// Of the API token that redeeming it makes.
    public var callback: String?

    /// An offer for one device of one person.
    public init(userName: String, zone: String, validity: Duration, callback: String? = nil) {
        self.userName = userName
        self.zone = zone
        self.validity = validity
        self.callback = callback
    }
}

/// An invitation; shown once, because the server keeps only its hash.
public struct NewInvitation: Hashable, Sendable {
    /// What redeems it: 24 letters, digits, `-` and `_`, of 144 random bits.
    public var secret: String
    /// Milliseconds since 1970, UTC.
    public var expiresAt: Int64
}

/// What there is that an invitation can be for.
public struct InvitationGround: Hashable, Sendable {
    /// Every person of the container, by name.
    public var people: [String]
    /// The custom zones of each person's private database, by the person's name.
    public var zones: [String: [String]]
    /// Where the server was reached when it last ran, such as `http://127.0.0.1:8080`; `nil` before its first start.
    public var serverURL: String?

    /// People with the zones that they have.
    public init(people: [String], zones: [String: [String]], serverURL: String? = nil) {
        self.people = people
        self.zones = zones
        self.serverURL = serverURL
    }
}

/// Invitations, which a running server honours at once, whichever process made them.
extension RecordStore {
    /// What an invitation to a container can be for.
    public func invitationGround(container: String, environment: String) throws -> InvitationGround {
        try read { db in
            let people = try String.fetchAll(
                db, sql: "SELECT name FROM users WHERE container = ? AND is_key = 0 ORDER BY name",
                arguments: [container])
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT u.name, z.name FROM zones z JOIN databases d ON d.id = z.database_id
                    JOIN users u ON u.id = d.owner_id
                    WHERE u.container = ? AND d.environment = ? AND d.scope = 'private' AND z.deleted = 0
                        AND z.name <> ? ORDER BY z.name
                    """,
                arguments: [container, environment, ZoneID.defaultZoneName])
            return InvitationGround(
                people: people,
                zones: Dictionary(grouping: rows) { $0[0] as String }.mapValues { $0.map { $0[1] } },
                serverURL: try String.fetchOne(db, sql: "SELECT value FROM server WHERE name = 'url'"))
        }
    }

    /// Keeps where the server is reached, for the links of invitations. Where the disk takes no writing, they name the place from
    /// before.
    public func setServerURL(_ url: String) throws {
        let known = try read { db in try String.fetchOne(db, sql: "SELECT value FROM server WHERE name = 'url'") }
        guard known != url else { return }
        do {
            try change { db in
                try db.execute(sql: "INSERT OR REPLACE INTO server VALUES ('url', ?)", arguments: [url])
            }
        } catch let error as DatabaseError where error.isOfWriting {}
    }

    /// Makes an invitation.
    /// - Parameter environment: `development` or `production`.
    /// - Throws: ``ServerError`` `name` where the name is that of a server-to-server key, `callback` where a token could be
    ///   read on its way there.
    public func invite(
        _ offer: InvitationOffer, container: String, environment: String
    ) throws -> NewInvitation {
        if let callback = offer.callback { try Self.check(callback: callback) }
        let secret = base64URL(surroundings.randomBytes(18))
        let now = surroundings.now()
        let expiresAt = now + offer.validity.milliseconds
        try change { db in
            let isKey = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM users WHERE container = ? AND name = ? AND is_key = 1)",
                arguments: [container, offer.userName])!
            guard !isKey else { throw ServerError.nameOfAKey(offer.userName) }
            // Whoever comes so late is told "unknown", and has to ask for another one all the same.
            try db.execute(
                sql: "DELETE FROM invitations WHERE expires_at < ?", arguments: [now - Self.invitationMemory])
            try db.execute(
                sql: "INSERT INTO invitations VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
                arguments: [
                    hashBlob(secret), container, environment, offer.userName, offer.zone, offer.callback, now,
                    expiresAt,
                ])
        }
        return NewInvitation(secret: secret, expiresAt: expiresAt)
    }

    /// Looks whether an invitation could be redeemed now, and writes nothing: anybody may ask, as often as they like.
    /// - Throws: `InvitationRefusal` where it is unknown, used or too old.
    func checkInvitation(_ secret: String) throws {
        _ = try read { db in try openInvitation(secret, now: surroundings.now(), db) }
    }

    /// Redeems an invitation, once: marks it and makes the account in one transaction.
    /// - Throws: `InvitationRefusal` where it is unknown, used or too old.
    public func redeem(_ secret: String) throws -> InvitedAccount {
        try change { db in
            let now = surroundings.now()
            let row = try openInvitation(secret, now: now, db)
            try db.execute(
                sql: "UPDATE invitations SET used_at = ? WHERE hash = ?", arguments: [now, hashBlob(secret)])
            let (container, environment, name): (String, String, String) = (row[0], row[1], row[2])
            let user = try insertUser(
                name: name, container: container, environment: environment, by: .invitation,
                options: APITokenOptions(callback: row[4]), db)
            return InvitedAccount(
                container: container, environment: environment, zone: row[3], userName: name,
                userRecordName: user.userRecordName, apiToken: user.apiToken, webAuthToken: user.webAuthToken)
        }
    }

    private func openInvitation(_ secret: String, now: Int64, _ db: Database) throws -> Row {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT container, environment, user_name, zone, callback, expires_at, used_at
                FROM invitations WHERE hash = ?
                """,
            arguments: [hashBlob(secret)])
        guard let row else { throw InvitationRefusal.unknown }
        guard (row[6] as Int64?) == nil else { throw InvitationRefusal.used }
        guard row[5] as Int64 > now else { throw InvitationRefusal.expired }
        return row
    }

    /// Takes back what somebody was invited to and did not redeem, in both environments, whether there is such a person by now
    /// or not.
    /// - Returns: How many invitations could still have been redeemed.
    public func withdrawInvitations(ofUser name: String, container: String) throws -> Int {
        try change { db in try withdrawInvitations(ofUser: name, container: container, db) }
    }

    /// As ``withdrawInvitations(ofUser:container:)``, within a transaction.
    @discardableResult
    func withdrawInvitations(ofUser name: String, container: String, _ db: Database) throws -> Int {
        let ends = try Int64.fetchAll(
            db,
            sql: """
                DELETE FROM invitations WHERE container = ? AND user_name = ? AND used_at IS NULL RETURNING expires_at
                """,
            arguments: [container, name])
        let now = surroundings.now()
        return ends.count { $0 > now }
    }

    /// Milliseconds after its end for which an invitation is still known for what it was.
    private static let invitationMemory: Int64 = 30 * 24 * 60 * 60 * 1000
}
