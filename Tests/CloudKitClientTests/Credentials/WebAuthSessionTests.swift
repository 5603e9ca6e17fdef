import CloudKitClient
import CloudKitWire
import HTTPTypes
import Logging
import Synchronization
import Testing

/// Keeps every token that was stored, and fails on demand.
private actor RecordingStore: WebAuthTokenStore {
    private(set) var stored: [WebAuthToken] = []
    private var isBroken = false
    private let first: WebAuthToken?

    init(_ first: String?) {
        self.first = first.map { WebAuthToken($0) }
    }

    struct DiskFull: Error {}

    func current() -> WebAuthToken? { stored.last ?? first }

    func store(_ token: WebAuthToken) throws {
        if isBroken { throw DiskFull() }
        stored.append(token)
    }

    func setBroken(_ isBroken: Bool) { self.isBroken = isBroken }
}

private let noZones = #"{ "zones": [] }"#

@Suite("Web auth tokens rotate and nobody is signed out (S1.9, protocol §2.1)")
struct WebAuthSessionTests {
    @Test("Each request carries the newest token, which is durable by then")
    func durableBeforeTheNextRequest() async throws {
        let store = RecordingStore("t0")
        let transport = ScriptedTransport { request, number in
            let durable = await store.current()?.rawValue
            #expect(request.webAuthToken == "t\(number)")
            #expect(durable == "t\(number)")
            return .json(noZones, next: "t\(number + 1)")
        }
        let database = database(transport, store: store)
        for _ in 0..<3 { _ = try await database.listZones() }
        #expect(await store.stored.map(\.rawValue) == ["t1", "t2", "t3"])
    }

    @Test("A server that does not rotate costs no write")
    func noNeedlessWrite() async throws {
        let store = RecordingStore("t0")
        let database = database(ScriptedTransport(.json(noZones), .json(noZones, next: "t0")), store: store)
        for _ in 0..<3 { _ = try await database.listZones() }
        #expect(await store.stored.isEmpty)
    }

    @Test("Errors bring tokens too", arguments: [429, 500, 503, 400])
    func tokensOnErrors(status: Int) async throws {
        let store = RecordingStore("t0")
        let transport = ScriptedTransport(.json("<html>", status: status, next: "t1"), .json(noZones))
        let database = database(transport, store: store)
        #expect(await failure { () throws(CloudKitError) in try await database.listZones() }?.status == status)
        #expect(await store.stored.map(\.rawValue) == ["t1"])
        _ = try await database.listZones()
        #expect(transport.requests.last?.webAuthToken == "t1")
    }

    @Test("The older header counts where the newer one is missing")
    func olderHeader() async throws {
        var answer = TransportResponse.json(noZones)
        answer.headers[.init("x-apple-cloudkit-session")!] = "s1"
        let store = RecordingStore("t0")
        _ = try await database(ScriptedTransport(answer), store: store).listZones()
        #expect(await store.stored.map(\.rawValue) == ["s1"])
    }

    @Test("`+ / =` arrive as %2B %2F %3D")
    func percentEncoding() async throws {
        let transport = ScriptedTransport(.json(noZones))
        let store = InMemoryTokenStore(WebAuthToken("106__54__a+b/c=="))
        _ = try await database(transport, store: store).listZones()
        #expect(transport.requests[0].webAuthToken == "106__54__a%2Bb%2Fc%3D%3D")
    }

    @Test("Many requests at once on a server with strict single use: each succeeds, and the session is kept")
    func strictServer() async throws {
        let server = StrictServer()
        let transport = ScriptedTransport { request, _ in await server.answer(request) }
        let store = RecordingStore("t0")
        let database = database(transport, store: store)
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { _ = try await database.listZones() } }
            try await group.waitForAll()
        }
        #expect(await store.current()?.rawValue == (await server.good))
        // From the first refusal on they went one at a time: no more than one refusal for each.
        #expect(transport.requests.count <= 40)
    }

    @Test("Refusals that overtake the one answer that brings the next token sign nobody out")
    func refusalsFirst() async throws {
        let server = StrictServer()
        let session = WebAuthSession(apiToken: "0123", store: RecordingStore("t0"))
        let (allRefused, refusals) = AsyncStream.makeStream(of: Void.self)
        let transport = ScriptedTransport { request, number in
            let response = await server.answer(request)
            if number == 19 { refusals.finish() }
            guard response.status == 200, number < 20 else { return response }
            for await _ in allRefused {}
            // Turns enough for those who were refused to give up.
            for _ in 0..<1000 { _ = await session.apiToken }
            return response
        }
        let database = CloudKitDatabase(testAddress, session: session, transport: transport, logger: .init(label: "t"))
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { _ = try await database.listZones() } }
            try await group.waitForAll()
        }
        #expect(transport.requests.count == 39)
    }

    @Test("Where all requests under way are refused, none of them waits for another")
    func allRefused() async {
        let transport = ScriptedTransport { _, _ in .signInNeeded() }
        let database = database(transport)
        let codes = await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { await failure { () throws(CloudKitError) in try await database.listZones() }?.code }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count == 20)
        #expect(codes.allSatisfy { $0 == .server(.authenticationRequired) })
    }

    @Test("With nothing left to try, the error says where to sign in")
    func signedOut() async {
        let transport = ScriptedTransport(.signInNeeded())
        let error = await failure { () throws(CloudKitError) in try await database(transport).listZones() }
        #expect(error?.code == .server(.authenticationRequired))
        #expect(error?.redirectURL == "https://idmsa.example/auth?oauth_token=secret")
        #expect(error?.reaction() == .signIn(redirectURL: "https://idmsa.example/auth?oauth_token=secret"))
        #expect(error?.message.contains("secret") == false)
        #expect(transport.requests.count == 1)
    }

    @Test("421 without CloudKit's words is a misdirected request: the token is not given up")
    func misdirected() async throws {
        let transport = ScriptedTransport(.json("Misdirected", status: 421), .json(noZones))
        let database = database(transport)
        let error = await failure { () throws(CloudKitError) in try await database.listZones() }
        #expect(error?.reaction() == .retry(after: nil, pausing: .database))
        _ = try await database.listZones()
        #expect(transport.requests.last?.webAuthToken == "t0")
    }

    @Test("A token that cannot be made durable stops the next request, not the one that brought it")
    func brokenStore() async throws {
        let store = RecordingStore("t0")
        await store.setBroken(true)
        let transport = ScriptedTransport(.json(noZones, next: "t1"))
        let database = database(transport, store: store)
        _ = try await database.listZones()
        let error = await failure { () throws(CloudKitError) in try await database.listZones() }
        #expect(error?.code == .credentialsNotStored)
        #expect(error?.mayHaveBeenDone == false)
        #expect(transport.requests.count == 1)
        await store.setBroken(false)
        _ = try await database.listZones()
        #expect(transport.requests.last?.webAuthToken == "t1")
    }

    @Test("Before the end, a token that could not be stored is tried again, and told of where it still cannot")
    func flushed() async throws {
        let store = RecordingStore("t0")
        let session = WebAuthSession(apiToken: "0123", store: store)
        let database = CloudKitDatabase(
            testAddress, session: session, transport: ScriptedTransport(.json(noZones, next: "t1")),
            logger: .init(label: "t"))
        try await session.flush()
        await store.setBroken(true)
        _ = try await database.listZones()
        await #expect(throws: RecordingStore.DiskFull.self) { try await session.flush() }
        await store.setBroken(false)
        try await session.flush()
        #expect(await store.stored.map(\.rawValue) == ["t1"])
    }

    @Test("A sign-in while a request is under way: that request is not sent again for the other account")
    func signInMeanwhile() async throws {
        let session = WebAuthSession(apiToken: "0123", store: InMemoryTokenStore(WebAuthToken("ada")))
        let transport = ScriptedTransport { request, _ in
            if request.webAuthToken == "ada" {
                try await session.signIn(with: WebAuthToken("bob"))
                return .signInNeeded()
            }
            return .json(noZones)
        }
        let database = CloudKitDatabase(testAddress, session: session, transport: transport, logger: .init(label: "t"))
        let error = await failure { () throws(CloudKitError) in try await database.listZones() }
        #expect(error?.code == .server(.authenticationRequired))
        #expect(transport.requests.count == 1)
    }

    @Test("Other credentials are durable before they are used, and a late answer to the old ones changes nothing")
    func replaced() async throws {
        let store = RecordingStore("ada0")
        let session = WebAuthSession(apiToken: "first", store: store)
        let transport = ScriptedTransport { request, _ in
            if request.webAuthToken == "ada0" {
                try await session.replace(apiToken: "second", token: WebAuthToken("ada1")) {
                    try await store.store(WebAuthToken("ada1"))
                }
                return .json(noZones, next: "late")
            }
            return .json(noZones)
        }
        let database = CloudKitDatabase(testAddress, session: session, transport: transport, logger: .init(label: "t"))
        _ = try await database.listZones()
        _ = try await database.listZones()
        #expect(transport.requests.last?.webAuthToken == "ada1")
        #expect(transport.requests.last?.url.contains("ckAPIToken=second") == true)
        #expect(await store.stored.map(\.rawValue) == ["ada1"])
        try await session.replace(apiToken: "second", token: nil) {}
        _ = try await database.listZones()
        #expect(transport.requests.last?.webAuthToken == nil)
    }

    @Test("Credentials that cannot be stored are not used: the old ones stay")
    func notReplaced() async throws {
        struct DiskFull: Error {}
        let session = WebAuthSession(apiToken: "first", store: RecordingStore("ada0"))
        let transport = ScriptedTransport(.json(noZones))
        let database = CloudKitDatabase(testAddress, session: session, transport: transport, logger: .init(label: "t"))
        await #expect(throws: DiskFull.self) {
            try await session.replace(apiToken: "second", token: WebAuthToken("ada1")) { throw DiskFull() }
        }
        _ = try await database.listZones()
        #expect(transport.requests.last?.webAuthToken == "ada0")
        #expect(transport.requests.last?.url.contains("ckAPIToken=first") == true)
    }

    @Test(
        "A request that comes while the credentials are replaced waits for the new ones: none goes out without a token")
    func requestMeanwhile() async throws {
        let session = WebAuthSession(apiToken: "first", store: RecordingStore("ada0"))
        let transport = ScriptedTransport(.json(noZones))
        let database = CloudKitDatabase(testAddress, session: session, transport: transport, logger: .init(label: "t"))
        let requests = Mutex<[Task<Void, any Error>]>([])
        try await session.replace(apiToken: "second", token: WebAuthToken("ada1")) {
            requests.withLock { $0 = (0..<10).map { _ in Task { _ = try await database.listZones() } } }
            // Turns enough for a request that does not wait to be sent by now.
            for _ in 0..<1000 { _ = await session.apiToken }
            #expect(transport.requests.isEmpty)
        }
        for request in requests.withLock(\.self) { try await request.value }
        #expect(transport.requests.count == 10)
        #expect(transport.requests.allSatisfy { $0.webAuthToken == "ada1" && $0.url.contains("ckAPIToken=second") })
    }

    @Test("A token that comes while other credentials cannot be stored is kept: the sign-in goes on with it")
    func tokenWhileNotReplaced() async throws {
        struct DiskFull: Error {}
        let store = RecordingStore("t0")
        let session = WebAuthSession(apiToken: "first", store: store)
        let transport = ScriptedTransport { request, number in
            guard number == 0 else { return .json(noZones) }
            let (began, begins) = AsyncStream.makeStream(of: Void.self)
            Task {
                try await session.replace(apiToken: "second", token: nil) {
                    begins.finish()
                    // Turns enough for the answer to come before the write fails.
                    for _ in 0..<1000 { _ = await session.apiToken }
                    throw DiskFull()
                }
            }
            for await _ in began {}
            return .json(noZones, next: "t1")
        }
        let database = CloudKitDatabase(testAddress, session: session, transport: transport, logger: .init(label: "t"))
        _ = try await database.listZones()
        _ = try await database.listZones()
        #expect(transport.requests.last?.webAuthToken == "t1")
        #expect(transport.requests.last?.url.contains("ckAPIToken=first") == true)
        #expect(await store.stored.map(\.rawValue) == ["t1"])
    }

    @Test("A stored token changes under the session only when it is told to look")
    func reload() async throws {
        let store = InMemoryTokenStore()
        let session = WebAuthSession(apiToken: "0123", store: store)
        #expect(try await !session.isSignedIn)
        await store.store(WebAuthToken("later"))
        #expect(try await !session.isSignedIn)
        try await session.reload()
        #expect(try await session.isSignedIn)
    }

    @Test("A token shows in no description")
    func secret() {
        let token = WebAuthToken("secret")
        #expect(!"\(token) \(String(reflecting: token)) \([token])".contains("secret"))
    }
}

/// Takes each token once: every answer, a refusal aside, voids the token of its request.
private actor StrictServer {
    private(set) var good = "t0"
    private var made = 0

    func answer(_ request: TransportRequest) -> TransportResponse {
        guard request.webAuthToken == good else { return .signInNeeded() }
        made += 1
        good = "n\(made)"
        return .json(noZones, next: good)
    }
}
