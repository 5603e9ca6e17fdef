/// The credentials of one account: an API token, and the web auth token that every answer may replace.
///
/// Share one session among all databases of an account. The newest token is durable before the next request is sent;
/// several requests that wait for that share one write. Which token is the newest: `TokenRotation`.
public actor WebAuthSession {
    /// 64 hexadecimal digits from the CloudKit console, or from `zonefolder serve`.
    public private(set) var apiToken: String

    private let store: any WebAuthTokenStore
    private let storesAside: Bool
    private var rotation = TokenRotation()
    private var isLoaded = false
    private var durable: WebAuthToken?
    private var isStoring = false
    private var isReplacing = false
    private var storeWaiters: [CheckedContinuation<Void, Never>] = []
    /// Those who wait for any request's answer.
    private var answerWaiters: [CheckedContinuation<Void, Never>] = []
    private let gate = SerialGate()

    /// Reads nothing yet; the first request does.
    /// - Parameter storesAside: Whether an answer is given on while its token is still written: only the next request waits for
    ///   that. Who says so calls ``flush()`` before the process ends, or somebody else reads the token.
    public init(apiToken: String, store: any WebAuthTokenStore, storesAside: Bool = false) {
        self.apiToken = apiToken
        self.store = store
        self.storesAside = storesAside
    }

    /// Whether a person has signed in, as far as the store knows.
    public var isSignedIn: Bool {
        get async throws {
            try await load()
            while isReplacing { await storeEnds() }
            return rotation.newest != nil
        }
    }

    /// Reads the stored token again, after a sign-in by another process.
    ///
    /// A refusal alone never does that: the token could be another account's, and one account's data must not go into
    /// another's zone. Ask ``CloudKitDatabase/caller()`` next.
    public func reload() async throws {
        while isStoring { await storeEnds() }
        isStoring = true
        defer { storeEnded() }
        let token = try await store.current()
        isLoaded = true
        durable = token
        rotation.reset(to: token)
        answersCame()
    }

    /// Takes the token that a sign-in brought; durable when it returns. Ask ``CloudKitDatabase/caller()`` next.
    public func signIn(with token: WebAuthToken) async throws {
        while isReplacing { await storeEnds() }
        isLoaded = true
        rotation.reset(to: token)
        answersCame()
        try await storeNewest()
    }

    /// Goes over to other credentials: another sign-in's, or none, signed out.
    ///
    /// Requests under way end with those that they were sent with, and what their answers bring is dropped; new ones
    /// wait until the others are durable. Ask ``CloudKitDatabase/caller()`` next.
    /// - Parameter store: Makes them durable; no token is written meanwhile. Where it throws, the old ones stay.
    public func replace(
        apiToken: String, token: WebAuthToken?, storing store: @Sendable () async throws -> Void
    ) async throws {
        try await load()
        while isStoring { await storeEnds() }
        isStoring = true
        isReplacing = true
        answersCame()
        defer { storeEnded() }
        // What answers bring meanwhile is kept in memory: it counts where this fails.
        try await store()
        self.apiToken = apiToken
        rotation.reset(to: token)
        durable = token
    }

    /// Makes sure that the newest token is durable: for a process that ends, once no request is under way.
    /// - Throws: What the store throws. The server may have voided the stored token by then.
    public func flush() async throws {
        while !isSettled { try await storeAll() }
    }

    // MARK: - One request

    /// What a request is sent with, and what tells its answer from others'.
    struct Grant: Sendable {
        var apiToken: String
        var token: WebAuthToken?
        var sequence: UInt64
        var turn: SerialGate.Turn?
    }

    /// The newest token, durable. Waits for its turn where the server wants one request at a time.
    func authorize() async throws -> Grant {
        try await load()
        let turn = rotation.isSerial ? try await gate.enter() : nil
        do {
            while !isSettled { try await storeAll() }
        } catch {
            if let turn { await gate.leave(turn) }
            throw error
        }
        return Grant(apiToken: apiToken, token: rotation.newest, sequence: rotation.nextSequence(), turn: turn)
    }

    /// Ends a request: takes its answer's token, if one came back, and makes it durable, or begins to.
    ///
    /// A failed write is no failure of the request, whose effects are real; the next one tries the write again first.
    /// - Parameter isAccepted: Whether the answer was one to a person who is signed in.
    func finish(_ grant: Grant, received token: WebAuthToken?, isAccepted: Bool) async {
        if isAccepted { rotation.accepted(grant.token) }
        rotation.ended(grant.sequence)
        let isNewest = token.map { rotation.received($0, toRequest: grant.sequence, sentWith: grant.token) } ?? false
        answersCame()
        if isNewest {
            // `authorize()` throws if it still fails then.
            if storesAside { beginStoring() } else { try? await storeNewest() }
        }
        if let turn = grant.turn { await gate.leave(turn) }
    }

    /// Whether the request is worth one more attempt after its token was refused.
    func mayRetry(afterRefusalOf grant: Grant) async -> Bool {
        // While others come, its repetition would be sent with them.
        guard let token = grant.token else { return false }
        let last = rotation.lastSequence
        while !isReplacing, rotation.isUndecided(token, ofRequest: grant.sequence, upTo: last) {
            await withCheckedContinuation { answerWaiters.append($0) }
        }
        guard !isReplacing else { return false }
        if rotation.replacement(forRefused: token, ofRequest: grant.sequence) != nil { return true }
        // Where all were refused, the newest is in its place again, on disk too: nothing may be sent for a long time.
        if !isReplacing { try? await storeNewest() }
        return false
    }

    /// Lets those who wait for answers look again.
    private func answersCame() {
        let waiters = answerWaiters
        answerWaiters = []
        for waiter in waiters { waiter.resume() }
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

    /// Whether a request may go out: the newest token is durable, and no others are about to take its place.
    private var isSettled: Bool { !isReplacing && unstored == nil }

    /// The newest token where it is not durable.
    private var unstored: WebAuthToken? { rotation.newest == durable ? nil : rotation.newest }

    private func storeAll() async throws {
        while isReplacing { await storeEnds() }
        try await storeNewest()
    }

    private func storeNewest() async throws {
        while let newest = unstored {
            guard !isStoring else {
                await storeEnds()
                continue
            }
            isStoring = true
            try await write(newest)
        }
    }

    /// Begins to make the newest token durable, and does not wait. Whoever is about to read or to replace it does from now on.
    private func beginStoring() {
        guard !isStoring, let newest = unstored else { return }
        isStoring = true
        Task {
            try? await write(newest)
            // What came meanwhile, and this one once more where it could not be written.
            try? await storeNewest()
        }
    }

    /// Those who wait for the store were told already that somebody has it.
    private func write(_ token: WebAuthToken) async throws {
        defer { storeEnded() }
        try await store.store(token)
        durable = token
    }

    private func storeEnds() async {
        await withCheckedContinuation { storeWaiters.append($0) }
    }

    private func storeEnded() {
        isStoring = false
        isReplacing = false
        let waiters = storeWaiters
        storeWaiters = []
        for waiter in waiters { waiter.resume() }
    }
}
