import CloudKitServer
import Dispatch
import GRDB
import Testing

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
}
