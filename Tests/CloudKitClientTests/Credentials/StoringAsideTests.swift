import CloudKitClient
import CloudKitWire
import Logging
import Testing

/// Writes no token before it is let; fails while it is broken.
private actor SlowStore: WebAuthTokenStore {
    struct DiskFull: Error {}

    private var stored = WebAuthToken("t0")
    private var isOpen: Bool
    private var isBroken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(isOpen: Bool) { self.isOpen = isOpen }

    func current() -> WebAuthToken? { stored }

    func store(_ token: WebAuthToken) async throws {
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
        if isBroken { throw DiskFull() }
        stored = token
    }

    func open() {
        isOpen = true
        let waiters = waiting
        waiting = []
        for waiter in waiters { waiter.resume() }
    }

    func setBroken(_ isBroken: Bool) { self.isBroken = isBroken }
}

@Suite("Tokens that are written while their answers are dealt with (protocol §2.1)", .timeLimit(.minutes(5)))
struct StoringAsideTests {
    private static let noZones = #"{ "zones": [] }"#

    /// Each answer brings the next token, and says which one was durable when its request came.
    private static func world(
        isOpen: Bool
    ) -> (store: SlowStore, session: WebAuthSession, transport: ScriptedTransport, database: CloudKitDatabase) {
        let store = SlowStore(isOpen: isOpen)
        let session = WebAuthSession(apiToken: "0123", store: store, storesAside: true)
        let transport = ScriptedTransport { request, number in
            #expect(await store.current()?.rawValue == request.webAuthToken)
            return .json(noZones, next: "t\(number + 1)")
        }
        let database = CloudKitDatabase(
            testAddress, session: session, transport: transport, logger: .init(label: "t"))
        return (store, session, transport, database)
    }

    /// Turns enough for whoever does not wait to be done.
    private static func letOthersGoOn(_ session: WebAuthSession) async {
        for _ in 0..<1000 { _ = await session.apiToken }
    }

    @Test("An answer is there before its token is written; the next request waits for that")
    func nextRequest() async throws {
        let (store, session, transport, database) = Self.world(isOpen: false)
        _ = try await database.listZones()
        #expect(await store.current()?.rawValue == "t0")
        async let next = database.listZones()
        await Self.letOthersGoOn(session)
        #expect(transport.requests.count == 1)
        await store.open()
        _ = try await next
        #expect(transport.requests.map(\.webAuthToken) == ["t0", "t1"])
    }

    @Test("What ends, and what reads the stored token again, waits for it as well")
    func endAndReload() async throws {
        for ends in [true, false] {
            let (store, session, transport, database) = Self.world(isOpen: false)
            _ = try await database.listZones()
            async let done: Void = ends ? session.flush() : session.reload()
            await Self.letOthersGoOn(session)
            await store.open()
            try await done
            #expect(await store.current()?.rawValue == "t1")
            _ = try await database.listZones()
            #expect(transport.requests.last?.webAuthToken == "t1")
        }
    }

    @Test("One that could not be written is tried again before the next request, which is not sent while it cannot")
    func failed() async throws {
        let (store, session, transport, database) = Self.world(isOpen: true)
        await store.setBroken(true)
        _ = try await database.listZones()
        let error = await failure { () throws(CloudKitError) in try await database.listZones() }
        #expect(error?.mayHaveBeenDone == false)
        await #expect(throws: SlowStore.DiskFull.self) { try await session.flush() }
        #expect(transport.requests.count == 1)
        await store.setBroken(false)
        _ = try await database.listZones()
        #expect(transport.requests.last?.webAuthToken == "t1")
    }

    @Test("After other credentials came meanwhile, the late one is not written over them")
    func replacedMeanwhile() async throws {
        let (store, session, transport, database) = Self.world(isOpen: false)
        _ = try await database.listZones()
        async let replaced: Void = session.replace(apiToken: "second", token: WebAuthToken("other")) {
            try await store.store(WebAuthToken("other"))
        }
        await Self.letOthersGoOn(session)
        await store.open()
        try await replaced
        try await session.flush()
        #expect(await store.current()?.rawValue == "other")
        _ = try await database.listZones()
        #expect(transport.requests.last?.webAuthToken == "other")
    }

    @Test("Many requests at once are all answered, and the last token is the one that is kept")
    func many() async throws {
        let store = SlowStore(isOpen: true)
        let session = WebAuthSession(apiToken: "0123", store: store, storesAside: true)
        let transport = ScriptedTransport { _, number in .json(Self.noZones, next: "t\(number + 1)") }
        let database = CloudKitDatabase(
            testAddress, session: session, transport: transport, logger: .init(label: "t"))
        for _ in 0..<20 {
            try await withThrowingTaskGroup { group in
                for _ in 0..<5 { group.addTask { _ = try await database.listZones() } }
                try await group.waitForAll()
            }
        }
        _ = try await database.listZones()
        try await session.flush()
        #expect(await store.current()?.rawValue == "t\(transport.requests.count)")
    }
}
