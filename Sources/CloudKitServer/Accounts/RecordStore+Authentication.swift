import CloudKitWire
import GRDB
import Synchronization

/// What a request brought to say who sends it (protocol §2).
public struct Credentials: Hashable, Sendable {
    /// `ckAPIToken`.
    public var apiToken: String?
    /// `ckWebAuthToken`.
    public var webAuthToken: String?
    /// The web page that sends it, as its browser says; `nil` for every other program.
    public var origin: String?
    /// The three headers of a server-to-server request, where it has one of them.
    public var signature: ServerSignature?

    /// The two query parameters of a request, and what its headers say.
    public init(
        apiToken: String?, webAuthToken: String?, origin: String? = nil, signature: ServerSignature? = nil
    ) {
        self.apiToken = apiToken
        self.webAuthToken = webAuthToken
        self.origin = origin
        self.signature = signature
    }
}

/// A request whose sender is known, and the web auth token that its answer must carry, be it an error or not.
public struct Authenticated: Hashable, Sendable {
    /// Who sends it, and to where.
    public var caller: Caller
    /// For the header `X-Apple-CloudKit-Web-Auth-Token`; `nil` where nobody is signed in.
    public var nextWebAuthToken: String?
    /// Whether a web auth token that was issued after this one is in use: two have this sign-in, or had.
    public var isTokenSucceeded = false
}

extension RecordStore {
    /// Finds out who calls, and makes the session's next web auth token where a person does.
    ///
    /// A web auth token that is no longer good is refused also where none is needed: a person who takes herself for
    /// signed in should not get a stranger's answer.
    /// - Throws: `AUTHENTICATION_FAILED` without an API token, with a wrong one, from an origin that it does not admit, and
    ///   for whatever is wrong with a signature; `AUTHENTICATION_REQUIRED` with a web auth token that is unknown, expired
    ///   or void.
    public func authenticate(
        _ credentials: Credentials, container: String, environment: String, scope: DatabaseScope, baseURL: String
    ) throws -> Authenticated {
        var caller = Caller(
            container: container, environment: environment, scope: scope, baseURL: baseURL, identity: .world)
        if let signature = credentials.signature {
            guard credentials.apiToken == nil, credentials.webAuthToken == nil else {
                throw ErrorDictionary.authenticationFailed
            }
            caller.identity = try identity(of: signature, container: container, environment: environment)
            return Authenticated(caller: caller, nextWebAuthToken: nil)
        }
        guard let apiToken = credentials.apiToken else { throw ErrorDictionary.noAuthentication }
        let token = credentials.webAuthToken.flatMap { WebAuthToken($0, key) }
        let (found, session) = try read { db in
            (
                try APITokenRow.find(hash: digest(of: apiToken), db),
                try token.flatMap { try SessionRow.find($0.session, db) }
            )
        }
        guard let found, found.container == container, found.environment == environment else {
            throw ErrorDictionary.wrongAPIToken
        }
        guard found.admits(origin: credentials.origin) else { throw ErrorDictionary.wrongOrigin }
        let now = surroundings.now()
        noteUse(of: found, now: now)
        if credentials.webAuthToken != nil, let token, let session, session.container == container,
            session.environment == environment, session.expiresAt.map({ $0 > now }) ?? true,
            let (next, isSucceeded) = try rotate(token, voidUpTo: session.voidUpTo, now: now)
        {
            prolong(session, now: now)
            caller.identity = .user(id: session.userID, recordName: session.userRecordName)
            return Authenticated(
                caller: caller, nextWebAuthToken: next.text(key), isTokenSucceeded: isSucceeded)
        }
        let request = SignInRequest(
            apiToken: found.hash, origin: credentials.origin.flatMap { WebOrigin($0)?.text },
            expiry: now / 1000 + SignInRequest.seconds)
        caller.signInURL = request.url(baseURL: baseURL, key)
        if let token, session == nil { rotations.withLock { $0[token.session] = nil } }
        guard credentials.webAuthToken == nil else { throw ErrorDictionary.needsSignIn(at: caller.signInURL) }
        return Authenticated(caller: caller, nextWebAuthToken: nil)
    }

    /// Lets the session live on from now. What the disk says lags by a sixtieth of the lifetime, so that few requests
    /// write it: a token may end so much earlier than promised. On a full disk it lags by more.
    private func prolong(_ session: SessionRow, now: Int64) {
        guard let lifetime = session.lifetime, let expiry = session.expiresAt,
            now + lifetime - expiry >= lifetime / 60
        else { return }
        saveLater { $0.add(expiry: now + lifetime, of: session.id) }
    }

    /// Milliseconds by which the disk's word on when an API token was last used may lag: few requests write it.
    public static let tokenUseLag: Int64 = 60 * 60 * 1000

    /// Lets whoever runs the server see that an API token is in use.
    private func noteUse(of token: APITokenRow, now: Int64) {
        guard now - (token.usedAt ?? .min / 2) >= Self.tokenUseLag else { return }
        saveLater { $0.add(use: now, of: token.hash) }
    }

    private func rotate(
        _ token: WebAuthToken, voidUpTo: Int64, now: Int64
    ) throws -> (next: WebAuthToken, isSucceeded: Bool)? {
        let grace = settings.webAuthTokenGrace.milliseconds
        let (next, isSucceeded, save): (WebAuthToken?, Bool, RotationSave?) = rotations.withLock { rotations in
            var rotation =
                rotations[token.session]
                ?? Rotation(
                    voidUpTo: voidUpTo, starts: starts, now: now, rule: settings.webAuthTokenRule)
            rotation.merge(voidUpTo: voidUpTo)
            defer { rotations[token.session] = rotation }
            let isSucceeded = rotation.hasUsed(after: token.number)
            guard rotation.use(token.number, now: now, graceMilliseconds: grace) else { return (nil, false, nil) }
            let save = rotation.save(now: now, graceMilliseconds: grace)
            return (WebAuthToken(session: token.session, number: rotation.issue()), isSucceeded, save)
        }
        if let save, grace > 0 {
            saveLater { $0.add(save, of: token.session) }
        } else if let save {
            // Before the answer, whose token is good once.
            try change { try saveRotation([(token.session, save.voidUpTo)], $0) }
        }
        try forgetEndedRotations()
        return next.map { ($0, isSucceeded) }
    }

    /// Writes down which tokens are void by now.
    func saveRotations() throws {
        let grace = settings.webAuthTokenGrace.milliseconds
        let now = surroundings.now()
        let rows = rotations.withLock { rotations in
            rotations.rotations.compactMap { session, rotation -> (Int64, Int64)? in
                var rotation = rotation
                rotation.expire(now: now, graceMilliseconds: grace)
                return rotation.saved < rotation.voidUpTo ? (session, rotation.voidUpTo) : nil
            }
        }
        if !rows.isEmpty { try change { try saveRotation(rows, $0) } }
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
