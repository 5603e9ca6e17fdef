import CloudKitWire
import GRDB

/// A sign-in that went well.
struct SignedIn: Sendable {
    var webAuthToken: String
    /// Where the browser goes with it; `nil`: nowhere.
    var callback: String?
}

/// What a sign-in page is for.
struct SignInSubject: Sendable {
    var request: SignInRequest
    var container: String
    var callback: String?
}

extension RecordStore {
    /// What a `redirectURL` asks for; `nil` where it is forged, too old, or its API token gone.
    func signInSubject(_ text: String) throws -> SignInSubject? {
        guard let request = SignInRequest(text, now: surroundings.now(), key) else { return nil }
        return try read { db in try APITokenRow.find(hash: request.apiToken, db) }.map {
            SignInSubject(request: request, container: $0.container, callback: $0.callback)
        }
    }

    /// Makes a session for a person who knows the password; `nil` where name or password are wrong.
    ///
    /// A name that nobody has costs as much time as a wrong password. Takes some hundred milliseconds on purpose.
    func signIn(_ request: SignInRequest, name: String, password: String, stays: Bool) throws -> SignedIn? {
        let (token, user) = try read { db in
            let token = try APITokenRow.find(hash: request.apiToken, db)
            let user = try token.flatMap {
                try Row.fetchOne(
                    db, sql: "SELECT id, password FROM users WHERE container = ? AND name = ? AND is_key = 0",
                    arguments: [$0.container, name])
            }
            return (token, user)
        }
        let stored = (user?[1] as String?).flatMap { PasswordHash(text: $0) }
        let hash = try stored ?? PasswordHash(of: "", salt: surroundings.randomBytes(16), cost: settings.passwordCost)
        let isRight = stored == nil ? false : try hash.matches(password)
        guard isRight, let token, let user else { return nil }
        let userID: Int64 = user[0]
        let lifetime = stays ? SessionLifetime.long : SessionLifetime.brief
        let webAuthToken: String? = try change { db in
            // Removed, or given another password, while this one was being checked.
            let isStillRight = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM users WHERE id = ? AND password = ?)",
                arguments: [userID, user[1] as String?])!
            guard isStillRight else { return nil }
            try createDatabases(db, of: userID, container: token.container, environment: token.environment)
            return try insertSession(of: userID, environment: token.environment, lifetime: lifetime, db)
        }
        return webAuthToken.map { SignedIn(webAuthToken: $0, callback: token.callback) }
    }

    /// Begins a session, and gives its first web auth token.
    /// - Parameter lifetime: Milliseconds that a token lives; `nil`: for ever.
    func insertSession(of userID: Int64, environment: String, lifetime: Int64?, _ db: Database) throws -> String {
        let session = newRowID()
        let now = surroundings.now()
        try db.execute(
            sql: """
                INSERT INTO sessions (id, user_id, environment, created_at, expires_at, lifetime, void_up_to)
                VALUES (?, ?, ?, ?, ?, ?, -1)
                """,
            arguments: [session, userID, environment, now, lifetime.map { now + $0 }, lifetime])
        // Nobody can use those again.
        try db.execute(sql: "DELETE FROM sessions WHERE expires_at < ?", arguments: [now])
        return WebAuthToken(session: session, number: 0).text(key)
    }

    /// Gives a person a password, also where there was one; sign-ins that there are stay.
    /// - Returns: `false` where the container has no such person.
    public func setPassword(_ password: String, ofUser name: String, container: String) throws -> Bool {
        let hash = try PasswordHash(of: password, salt: surroundings.randomBytes(16), cost: settings.passwordCost)
        return try change { db in
            try db.execute(
                sql: "UPDATE users SET password = ? WHERE container = ? AND name = ? AND is_key = 0",
                arguments: [hash.text, container, name])
            return db.changesCount == 1
        }
    }

    /// The slot of a text in ``SignInLimit``.
    func signInSlot(of text: String) -> Int {
        Int(Int64(bigEndianBytes: key.code(for: .signInLimit, text.utf8).prefix(7)))
    }
}
