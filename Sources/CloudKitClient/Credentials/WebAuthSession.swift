/// The credentials of one account: an API token, and the web auth token that every answer may replace.
///
/// Share one session among all databases of an account. The newest token is durable before the next request is sent;
/// several requests that wait for that share one write. Which token is the newest: `TokenRotation`.
public actor WebAuthSession {
    /// 64 hexadecimal digits from the CloudKit console, or from `zonefolder serve`.
    public nonisolated let apiToken: String

    private let store: any WebAuthTokenStore
    private var rotation = TokenRotation()
    private var isLoaded = false
    private var durable: WebAuthToken?
    private var isStoring = false
    private var storeWaiters: [CheckedContinuation<Void, Never>] = []
    private let gate = SerialGate()

    /// Reads nothing yet; the first request does.
    public init(apiToken: String, store: any WebAuthTokenStore) {
        self.apiToken = apiToken
        self.store = store
    }

    /// Whether a person has signed in, as far as the store knows.
    public var isSignedIn: Bool {
        get async throws {
            try await load()
            return rotation.newest != nil
        }
    }

    /// Reads the stored token again, after a sign-in by another process.
    ///
    /// A refusal alone never does that: the token could be another account's, and one account's data must not go into
    /// another's zone. Ask ``CloudKitDatabase/caller()`` next.
    public func reload() async throws {
        let token = try await store.current()
        isLoaded = true
        durable = token
        rotation.reset(to: token)
    }

    /// Takes the token that a sign-in brought; durable when it returns. Ask ``CloudKitDatabase/caller()`` next.
    public func signIn(with token: WebAuthToken) async throws {
        isLoaded = true
        rotation.reset(to: token)
        try await storeNewest()
    }

    // MARK: - One request

    /// What a request is sent with, and what tells its answer from others'.
    struct Grant: Sendable {
        var token: WebAuthToken?
        var sequence: UInt64
        var turn: SerialGate.Turn?
    }

    /// The newest token, durable. Waits for its turn where the server wants one request at a time.
    func authorize() async throws -> Grant {
        try await load()
        let turn = rotation.isSerial ? try await gate.enter() : nil
        do {
            try await storeNewest()
        } catch {
            if let turn { await gate.leave(turn) }
            throw error
        }
        return Grant(token: rotation.newest, sequence: rotation.nextSequence(), turn: turn)
    }

    /// Ends a request: takes its answer's token, if one came back, and makes it durable.
    ///
    /// A failed write is no failure of the request, whose effects are real; the next one tries the write again first.
    func finish(_ grant: Grant, received token: WebAuthToken?) async {
        if let token, rotation.received(token, toRequest: grant.sequence) {
            try? await storeNewest()  // `authorize()` throws if it still fails then
        }
        if let turn = grant.turn { await gate.leave(turn) }
    }

    /// Whether the request is worth one more attempt after its token was refused.
    func mayRetry(afterRefusalOf grant: Grant) -> Bool {
        guard let token = grant.token else { return false }
        return rotation.replacement(forRefused: token, ofRequest: grant.sequence) != nil
    }

    // MARK: - The store

    private func load() async throws {
        guard !isLoaded else { return }
        let token = try await store.current()
        guard !isLoaded else { return }  // somebody else did while this one waited
        isLoaded = true
        durable = token
        rotation.reset(to: token)
    }

    private func storeNewest() async throws {
        while let newest = rotation.newest, newest != durable {
            guard !isStoring else {
                await withCheckedContinuation { storeWaiters.append($0) }
                continue
            }
            isStoring = true
            defer {
                isStoring = false
                let waiters = storeWaiters
                storeWaiters = []
                for waiter in waiters { waiter.resume() }
            }
            try await store.store(newest)
            durable = newest
        }
    }
}
