import CloudKitServer
import CloudKitWire
import Dispatch
import GRDB
import Testing
import WireCoding

@testable import CloudKitServer

@Suite("One user's many requests and the others", .timeLimit(.minutes(30)))
struct FairnessTests {
    private static let base = "/database/1/\(TestServer.container)/development/private"
    private static let waiting = 20
    /// Two are carried out.
    private static let admitted = waiting + 2

    @Test("While one user's requests take long, others are answered; too many of one user's are told to slow down")
    func otherUsers() async throws {
        try await withServer {
            $0.connections.waitingRequests = Self.waiting
        } _: { server in
            try await server.makeZone()
            let bob = try server.server.store.addUser(
                name: "bob", container: TestServer.container, environment: "development")
            // Nobody can write for now: whoever wants to holds on to a thread.
            let end = DispatchSemaphore(value: 0)
            defer { end.signal() }
            server.server.store.writer.asyncWriteWithoutTransaction { _ in end.wait() }

            let body =
                #"{"zoneID":{"zoneName":"Folder"},"operations":[{"operationType":"forceDelete","record":{"recordName":"x"}}]}"#
            let post =
                "POST \(Self.base)/records/modify?\(server.credentials()) HTTP/1.1\r\nHost: x\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            var requests: [RawConnection] = []
            for _ in 0..<Self.admitted + 5 {
                let request = try await RawConnection(port: server.port)
                #expect(await request.send(post))
                requests.append(request)
            }
            while requests.count(where: { $0.received.hasSuffix("}") }) < 5 {
                try await Task.sleep(for: .milliseconds(5))
            }
            let refused = requests.filter { !$0.received.isEmpty }
            #expect(refused.count == 5)
            #expect(refused.allSatisfy { $0.received.hasPrefix("HTTP/1.1 429 ") && $0.received.contains("THROTTLED") })
            #expect(refused.allSatisfy { $0.received.lowercased().contains("\r\nretry-after: 5\r\n") })

            let credentials = "ckAPIToken=\(bob.apiToken)&ckWebAuthToken=\(encoded(bob.webAuthToken))"
            for _ in 0..<10 {
                #expect(try await server.sendRaw("GET", "\(Self.base)/zones/list?\(credentials)", nil).status == 200)
            }
            // Nor do they keep their own user from reading.
            #expect(try await server.get("zones/list").status == 200)

            end.signal()
            while requests.count(where: { $0.received.hasPrefix("HTTP/1.1 200 ") }) < Self.admitted {
                try await Task.sleep(for: .milliseconds(5))
            }
            for request in requests { await request.close() }
        }
    }

    @Test("While somebody's request takes long, those read whose sign-ins have something to be written down")
    func dueSessions() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let store = server.server.store
            let lifetime: Int64 = 3_600_000
            try await store.writer.write { [now = clock.now] db in
                try db.execute(
                    sql: "UPDATE sessions SET lifetime = ?, expires_at = ?", arguments: [lifetime, now + lifetime])
            }
            try await server.whileNobodyWrites {
                for _ in 0..<10 {
                    clock.advance(seconds: 70)
                    let reply = try await server.get("zones/list")
                    #expect(reply.status == 200)
                }
            }
            let (expiresAt, voidUpTo) = try await store.writer.writeWithoutTransaction { db in
                (
                    try Int64.fetchOne(db, sql: "SELECT expires_at FROM sessions"),
                    try Int64.fetchOne(db, sql: "SELECT void_up_to FROM sessions")
                )
            }
            #expect(expiresAt == clock.now + lifetime)
            #expect(try #require(voidUpTo) > 0)
        }
    }

    @Test("Nor does who redeems invitations keep anybody from reading, those that are none least of all")
    func invitations() async throws {
        let (begins, begun) = AsyncStream<Void>.makeStream()
        try await withServer {
            $0.observe = { if case .received(let request) = $0, request.operation == "invite" { begun.yield() } }
        } _: { server in
            let offer = InvitationOffer(userName: "bob", zone: "Notes", validity: .seconds(3600))
            let secrets = try (0..<10).map { _ in
                try server.server.store.invite(offer, container: TestServer.container, environment: "development")
                    .secret
            }
            // A client of the kind that other tests have opens eight connections at most.
            var requests: [RawConnection] = []
            try await server.whileNobodyWrites {
                for secret in secrets {
                    let body = String(decoding: InvitationRequest(secret: secret).encoded(), as: UTF8.self)
                    let request = try await RawConnection(port: server.port)
                    #expect(
                        await request.send(
                            "POST /invite HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"))
                    requests.append(request)
                }
                var count = 0
                for await _ in begins {
                    count += 1
                    if count == secrets.count { break }
                }
                for _ in 0..<10 {
                    let unknown = InvitationRequest(secret: "x").encoded()
                    let status = try await server.sendRaw("POST", "/invite", unknown).status
                    let reply = try await server.get("zones/list")
                    #expect(status == 404 && reply.status == 200)
                }
            }
            while requests.count(where: { $0.received.hasPrefix("HTTP/1.1 200 ") }) < secrets.count {
                try await Task.sleep(for: .milliseconds(5))
            }
            for request in requests { await request.close() }
        }
    }

    @Test("While one user's uploads wait for the disk, another's are stored")
    func uploads() async throws {
        try await withServer { server in
            try await server.makeZone()
            let (store, turns) = (server.server.store, server.server.uploadTurns)
            let bob = TestServer(
                server: server.server, port: server.port,
                user: try store.addUser(name: "bob", container: TestServer.container, environment: "development"))
            try await bob.makeZone()
            let url = try await server.uploadURL(for: "a")
            let owners = try await [url, server.uploadURL(for: "a", in: "_defaultZone"), bob.uploadURL(for: "a")].map {
                TurnOwner(try #require(store.assetUpload(at: $0)))
            }
            #expect(owners[0] == owners[1] && owners[0] != owners[2])

            let hers = try await withAllTurns(of: owners[0], turns) {
                let path = try #require(url.firstMatch(of: /\/assets\/.*/)).output
                let upload = try await RawConnection(port: server.port)
                #expect(await upload.send("POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"))
                while turns.waitingCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
                let stored = try await bob.upload([1, 2, 3], for: "a")
                #expect(stored["receipt"].string != nil)
                #expect(upload.received.isEmpty)
                return upload
            }
            while !hers.received.hasPrefix("HTTP/1.1 200 ") { try await Task.sleep(for: .milliseconds(5)) }
            await hers.close()
        }
    }

    /// Takes all turns that an owner can have at once, and has them until the body is through.
    private func withAllTurns<Outcome>(
        of owner: TurnOwner, _ turns: Turns<TurnOwner>, _ body: () async throws -> Outcome
    ) async throws -> Outcome {
        guard turns.now(owner, { true }) != nil else { return try await body() }
        return try await turns.inTurn(owner) { try await withAllTurns(of: owner, turns, body) }
    }
}
