import CloudKitWire
import GRDB
import Synchronization

/// What a request brought to say who sends it (protocol §2).
public struct Credentials: Hashable, Sendable {
    /// `ckAPIToken`.
    public var apiToken: String?
    /// `ckWebAuthToken`.
    public var webAuthToken: String?

    /// The two query parameters of a request.
    public init(apiToken: String?, webAuthToken: String?) {
        self.apiToken = apiToken
        self.webAuthToken = webAuthToken
    }
}

/// A request whose sender is known, and the web auth token that its answer must carry, be it an error or not.
public struct Authenticated: Hashable, Sendable {
    /// Who sends it, and to where.
    public var caller: Caller
    /// For the header `X-Apple-CloudKit-Web-Auth-Token`; `nil` where nobody is signed in.
    public var nextWebAuthToken: String?
}

extension RecordStore {
    /// Finds out who calls, and makes the session's next web auth token where a person does.
    ///
    /// A web auth token that is no longer good is refused also where none is needed: a person who takes herself for
    /// signed in should not get a stranger's answer.
    /// - Throws: `AUTHENTICATION_FAILED` without an API token or with a wrong one; `AUTHENTICATION_REQUIRED` with a web
    ///   auth token that is unknown, expired or void.
    public func authenticate(
        _ credentials: Credentials, container: String, environment: String, scope: DatabaseScope, baseURL: String
    ) throws -> Authenticated {
        guard let apiToken = credentials.apiToken else { throw ErrorDictionary.noAuthentication }
        let token = credentials.webAuthToken.flatMap { WebAuthToken($0, key) }
        let (mayUseContainer, session) = try writer.read { db in
            // The hash of a random secret is looked up: how long that takes tells nothing about the secret.
            let owner = try Row.fetchOne(
                try db.cachedStatement(sql: "SELECT container, environment FROM api_tokens WHERE hash = ?"),
                arguments: [hashBlob(apiToken)])
            let mayUseContainer = owner.map { $0[0] == container && $0[1] == environment } ?? false
            return (mayUseContainer, try token.flatMap { try Session.find($0.session, db) })
        }
        guard mayUseContainer else { throw ErrorDictionary.wrongAPIToken }
        var caller = Caller(
            container: container, environment: environment, scope: scope, baseURL: baseURL, identity: .world)
        guard credentials.webAuthToken != nil else { return Authenticated(caller: caller, nextWebAuthToken: nil) }
        let now = surroundings.now()
        guard let token, let session, session.container == container, session.environment == environment,
            session.expiresAt.map({ $0 > now }) ?? true,
            let next = try rotate(token, voidUpTo: session.voidUpTo, now: now)
        else { throw ErrorDictionary.needsSignIn(at: "\(baseURL)/sign-in") }
        caller.identity = .user(id: session.userID, recordName: session.userRecordName)
        return Authenticated(caller: caller, nextWebAuthToken: next.text(key))
    }

    private func rotate(_ token: WebAuthToken, voidUpTo: Int64, now: Int64) throws -> WebAuthToken? {
        let grace = settings.webAuthTokenGrace.milliseconds
        let (next, save): (WebAuthToken?, Int64?) = rotations.withLock { rotations in
            var rotation = rotations[token.session] ?? Rotation(voidUpTo: voidUpTo, starts: starts, now: now)
            rotation.merge(voidUpTo: voidUpTo)
            defer { rotations[token.session] = rotation }
            guard rotation.use(token.number, now: now, graceMilliseconds: grace) else { return (nil, nil) }
            let save = rotation.mustSave(now: now, graceMilliseconds: grace) ? rotation.voidUpTo : nil
            if let save { rotation.didSave(save, now: now) }
            return (WebAuthToken(session: token.session, number: rotation.issue()), save)
        }
        if let save { try saveRotation([(token.session, save)]) }
        return next
    }

    /// Writes down which tokens are void by now.
    func saveRotations() throws {
        let grace = settings.webAuthTokenGrace.milliseconds
        let now = surroundings.now()
        let rows = rotations.withLock { rotations in
            rotations.compactMap { session, rotation -> (Int64, Int64)? in
                var rotation = rotation
                rotation.expire(now: now, graceMilliseconds: grace)
                return rotation.saved < rotation.voidUpTo ? (session, rotation.voidUpTo) : nil
            }
        }
        if !rows.isEmpty { try saveRotation(rows) }
    }

    private func saveRotation(_ rows: [(session: Int64, voidUpTo: Int64)]) throws {
        try writer.write { db in
            for row in rows {
                try db.execute(
                    sql: "UPDATE sessions SET void_up_to = max(void_up_to, ?) WHERE id = ?",
                    arguments: [row.voidUpTo, row.session])
            }
        }
    }
}

/// A session's row, with its user's.
private struct Session {
    var userID: Int64
    var userRecordName: String
    var container: String
    var environment: String
    var expiresAt: Int64?
    var voidUpTo: Int64

    static func find(_ id: Int64, _ db: Database) throws -> Self? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT u.id, u.record_name, u.container, s.environment, s.expires_at, s.void_up_to
                FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = ?
                """)
        return try Row.fetchOne(statement, arguments: [id]).map {
            Session(
                userID: $0[0], userRecordName: $0[1], container: $0[2], environment: $0[3], expiresAt: $0[4],
                voidUpTo: $0[5])
        }
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
