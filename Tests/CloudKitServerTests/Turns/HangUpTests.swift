import CloudKitServer
import CloudKitWire
import Testing
import WireCoding

@testable import CloudKitServer

@Suite("Clients that hang up while their requests wait", .timeLimit(.minutes(30)))
struct HangUpTests {
    private static let base = "/database/1/\(TestServer.container)/development/private"

    /// Asks for a record to be created.
    private func create(_ name: String, at server: TestServer) async throws -> RawConnection {
        let record = #"{"recordType":"Note","recordName":"\#(name)"}"#
        return try await post(
            "\(Self.base)/records/modify?\(server.credentials())",
            #"{"zoneID":{"zoneName":"Folder"},"operations":[{"operationType":"create","record":\#(record)}]}"#,
            at: server)
    }

    private func post(
        _ path: String, _ body: String, at server: TestServer
    ) async throws -> RawConnection {
        let request = try await RawConnection(port: server.port)
        #expect(
            await request.send(
                "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"))
        return request
    }

    /// Nobody can write until the body is through, and the server's user has as many calls that wait for it as may be.
    private func whileSavesWait<Outcome>(
        _ server: TestServer, _ body: () async throws -> Outcome
    ) async throws -> Outcome {
        let user = try #require(
            try server.server.store.caller(
                userRecordName: server.user.userRecordName, container: TestServer.container,
                environment: "development"))
        return try await server.whileNobodyWrites {
            for name in ["a", "b"] { _ = try await create(name, at: server) }
            try await server.waitUntilBusy(TurnOwner(user))
            return try await body()
        }
    }

    private func names(_ server: TestServer) async throws -> [String] {
        try await server.changes()["records"].items.compactMap { $0["recordName"].string }.sorted()
    }

    @Test(
        "What waits for its turn is not carried out for a client that hangs up, in whichever way",
        arguments: [false, true])
    func gone(isReset: Bool) async throws {
        try await withServer { server in
            try await server.makeZone()
            try await whileSavesWait(server) {
                let waiting = try await create("c", at: server)
                try await server.waitForWriters(1)
                if isReset { try await waiting.reset() } else { try await waiting.endSending() }
                try await server.waitForWriters(0)
                #expect(waiting.received.isEmpty)
            }
            while try await server.changes()["records"].count < 2 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try await names(server) == ["a", "b"])
        }
    }

    @Test("Nor is an invitation spent for a client that is gone before its turn")
    func invitation() async throws {
        try await withServer { server in
            let offer = InvitationOffer(userName: "bob", zone: "Notes", validity: .seconds(3600))
            let bodies = try (0..<3).map { _ in
                let invitation = try server.server.store.invite(
                    offer, container: TestServer.container, environment: "development")
                return InvitationRequest(secret: invitation.secret).encoded()
            }
            try await server.whileNobodyWrites {
                for body in bodies.prefix(2) {
                    _ = try await post("/invite", String(decoding: body, as: UTF8.self), at: server)
                }
                try await server.waitUntilBusy(.invited)
                let waiting = try await post("/invite", String(decoding: bodies[2], as: UTF8.self), at: server)
                try await server.waitForWriters(1)
                try await waiting.reset()
                try await server.waitForWriters(0)
            }
            let reply = try await server.sendRaw("POST", "/invite", bodies[2])
            #expect(reply.status == 200, "\(reply.text)")
        }
    }
}
