public import CloudKitWire
import GRDB

extension RecordStore {
    /// Adds a person, or gives one who is known a new API token and a new session, which does not expire.
    ///
    /// A running server sees the user at once, whichever process added it.
    /// - Parameters:
    ///   - environment: `development` or `production`.
    ///   - password: For the sign-in page; `nil` changes none.
    ///   - options: What the new API token allows.
    public func addUser(
        name: String, container: String, environment: String, password: String? = nil,
        options: APITokenOptions = APITokenOptions()
    ) throws -> NewUser {
        let new = try change { db in
            try insertUser(
                name: name, container: container, environment: environment, by: .userAdd, options: options, db)
        }
        if let password { _ = try setPassword(password, ofUser: name, container: container) }
        return new
    }

    /// As ``addUser(name:container:environment:password:options:)``, within a transaction.
    func insertUser(
        name: String, container: String, environment: String, by maker: APITokenMaker, options: APITokenOptions,
        _ db: Database
    ) throws -> NewUser {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO users (id, container, name, record_name, created_at) VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                newRowID(), container, name, "_" + hex(surroundings.randomBytes(16)), surroundings.now(),
            ])
        let user = try Row.fetchOne(
            db, sql: "SELECT id, record_name FROM users WHERE container = ? AND name = ? AND is_key = 0",
            arguments: [container, name])
        guard let user else { throw ServerError.nameOfAKey(name) }
        let userID: Int64 = user[0]
        try createDatabases(db, of: userID, container: container, environment: environment)
        return NewUser(
            apiToken: try insertAPIToken(
                container: container, environment: environment, by: maker, for: name, options: options, db),
            webAuthToken: try insertSession(of: userID, environment: environment, lifetime: nil, db),
            userRecordName: user[1])
    }

    /// Every person of a container, by name.
    public func userNames(container: String) throws -> [String] {
        try read { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM users WHERE container = ? AND is_key = 0 ORDER BY name",
                arguments: [container])
        }
    }

    /// The private database with its default zone, and the shared one, unless they are there.
    func createDatabases(
        _ db: Database, of userID: Int64, container: String, environment: String
    ) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO databases (id, container, environment, scope, owner_id, last_change)
                VALUES (?, ?, ?, 'private', ?, 1), (?, ?, ?, 'shared', ?, 1)
                """,
            arguments: [newRowID(), container, environment, userID, newRowID(), container, environment, userID])
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO zones (database_id, name, deleted, last_change)
                SELECT id, ?, 0, 1 FROM databases WHERE owner_id = ? AND environment = ? AND scope = 'private'
                """,
            arguments: [ZoneID.defaultZoneName, userID, environment])
    }

    /// The ID of a row that may go: random, so that it never comes again. What names it, such as a sync token, stays unknown.
    func newRowID() -> Int64 {
        Int64(bigEndianBytes: surroundings.randomBytes(8)) & .max
    }

    /// A user to make calls for, without credentials: for whoever holds the store itself.
    /// - Returns: `nil` where the container has no such user.
    public func caller(
        userRecordName: String, container: String, environment: String, scope: DatabaseScope = .private,
        baseURL: String = "http://localhost"
    ) throws -> Caller? {
        try read { db in
            try Int64.fetchOne(
                db, sql: "SELECT id FROM users WHERE container = ? AND record_name = ?",
                arguments: [container, userRecordName])
        }.map {
            Caller(
                container: container, environment: environment, scope: scope, baseURL: baseURL,
                identity: .user(id: $0, recordName: userRecordName))
        }
    }

    /// Who calls (`users/caller`).
    public func identity(of caller: Caller) throws -> UserIdentity {
        try read { db in
            let name = try String.fetchOne(
                db, sql: "SELECT name FROM users WHERE id = ?", arguments: [caller.userID])
            return UserIdentity(userRecordName: caller.userRecordName, givenName: name)
        }
    }

    /// SHA-256 of a secret, as a column's value.
    func hashBlob(_ secret: String) -> DatabaseValue {
        blob(digest(of: secret))
    }
}
