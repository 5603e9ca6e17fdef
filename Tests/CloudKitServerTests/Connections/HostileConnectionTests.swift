import CloudKitServer
import CloudKitWire
import Testing

/// Clients that take more than their share. Every limit here is small so that the test is quick; none of them is measured.
@Suite("Connections that are no good", .timeLimit(.minutes(30)))
struct HostileConnectionTests {
    private static let path = "/database/1/\(TestServer.container)/development/private/zones/list"

    @Test("A head that never ends is cut off, however it drips, also the second one of a connection")
    func slowHead() async throws {
        try await withServer {
            $0.connections.head = .milliseconds(300)
        } _: { server in
            for isSecond in [false, true] {
                let slow = try await RawConnection(port: server.port)
                if isSecond {
                    _ = await slow.send("GET \(Self.path)?\(server.credentials()) HTTP/1.1\r\nHost: x\r\n\r\n")
                    while !slow.received.contains("zones") { try await Task.sleep(for: .milliseconds(5)) }
                }
                let before = slow.received
                _ = await slow.send("GET \(Self.path) HTTP/1.1\r\nHost: x\r\n")
                // Ends when the server has closed: long before the connection would count as idle.
                while await slow.send("X-A: b\r\n") { try await Task.sleep(for: .milliseconds(20)) }
                #expect(slow.received == before)
            }
        }
    }

    @Test("A body and an answer may take longer than a head may")
    func slowButFine() async throws {
        try await withServer {
            $0.connections.head = .milliseconds(50)
            $0.faultSecret = "s3cret"
        } _: { server in
            let rule = #"{"match":{"operation":"zones/list"},"fault":{"kind":"delay","seconds":0.3}}"#
            _ = try await server.sendRaw("POST", "/faults/s3cret", Array(rule.utf8))
            let slow = try await RawConnection(port: server.port)
            // The second head is whole, and waits for the answer to the first.
            let get = "GET \(Self.path)?\(server.credentials()) HTTP/1.1\r\nHost: x\r\n\r\n"
            _ = await slow.send(get + get)
            while slow.received.ranges(of: "HTTP/1.1 200 ").count < 2 { try await Task.sleep(for: .milliseconds(5)) }
            let path = Self.path.replacing("zones/list", with: "zones/lookup")
            _ = await slow.send(
                "POST \(path)?\(server.credentials()) HTTP/1.1\r\nHost: x\r\nContent-Length: 22\r\n\r\n")
            for piece in [#"{"zones":[   "#, "       ]}"] {
                try await Task.sleep(for: .milliseconds(200))
                #expect(await slow.send(piece))
            }
            while slow.received.ranges(of: "HTTP/1.1 200 ").count < 3 { try await Task.sleep(for: .milliseconds(5)) }
            await slow.close()
        }
    }

    @Test("A connection without a request is closed")
    func idle() async throws {
        try await withServer {
            $0.connections.idle = .milliseconds(300)
        } _: { server in
            let said = try await RawConnection(port: server.port).closed()
            #expect(said == "")
        }
    }

    @Test("A body that drips is cut off, and nothing of it is done")
    func slowBody() async throws {
        try await withServer {
            $0.connections.bodyGrace = .milliseconds(300)
            $0.connections.leastBodyRate = 1_000_000
        } _: { server in
            let slow = try await RawConnection(port: server.port)
            #expect(await slow.send("POST \(Self.path) HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n"))
            while await slow.send(" ") { try await Task.sleep(for: .milliseconds(20)) }
            #expect(slow.received == "")
        }
    }

    @Test("A body that stops is cut off, too, and so is an asset's")
    func stoppedBody() async throws {
        try await withServer {
            $0.connections.bodyGrace = .milliseconds(200)
        } _: { server in
            // In the process: requests of a busy machine could themselves be too slow for this server.
            let store = server.server.store
            let caller = try #require(
                try store.caller(
                    userRecordName: server.user.userRecordName, container: TestServer.container,
                    environment: "development"))
            let token = AssetToken(recordType: nil, recordName: "a", fieldName: "f", url: nil)
            let uploads = try store.assetUploads(AssetsUploadRequest(zoneID: nil, tokens: [token]), as: caller)
            let url = try #require(uploads.tokens[0].url)
            let path = url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
            for path in [Self.path, String(path)] {
                let stopped = try await RawConnection(port: server.port)
                #expect(await stopped.send("POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc"))
                #expect(try await stopped.closed() == "")
            }
        }
    }

    @Test("A head that is too large is 431, be it one field or many", arguments: [(1, 70_000), (70, 1_000)])
    func largeHead(fields: Int, bytes: Int) async throws {
        let fields = String(repeating: "X-A: " + String(repeating: "a", count: bytes) + "\r\n", count: fields)
        try await withServer { server in
            let large = try await RawConnection(port: server.port)
            _ = await large.send("GET \(Self.path) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
            #expect(try await large.closed().hasPrefix("HTTP/1.1 431 "))
            let reply = try await server.get("zones/list")
            #expect(reply.status == 200)
        }
    }

    @Test("What is no HTTP is 400", arguments: ["\u{16}\u{3}\u{1}\u{2}hello", "GET\r\n\r\n", "a b c d\r\n\r\n"])
    func noHTTP(text: String) async throws {
        try await withServer { server in
            let foreign = try await RawConnection(port: server.port)
            _ = await foreign.send(text)
            #expect(try await foreign.closed().hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test("A body over the limit is refused by its length, before any of it came")
    func announcedBody() async throws {
        try await withServer { server in
            let large = try await RawConnection(port: server.port)
            _ = await large.send(
                "POST \(Self.path)?\(server.credentials()) HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\n"
            )
            while !large.received.contains("the limit") { try await Task.sleep(for: .milliseconds(5)) }
            #expect(large.received.hasPrefix("HTTP/1.1 400 "))
            await large.close()
        }
    }

    @Test("Who goes on sending after the refusal is cut off")
    func unwantedBody() async throws {
        try await withServer {
            $0.connections.unwantedBytes = 100_000
        } _: { server in
            let large = try await RawConnection(port: server.port)
            _ = await large.send(
                "POST \(Self.path)?\(server.credentials()) HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\n"
            )
            let piece = String(repeating: " ", count: 65_536)
            while await large.send(piece) {}
        }
    }

    @Test("Beyond the limit of connections new ones wait, and are served when others end")
    func connectionLimit() async throws {
        try await withServer {
            $0.connections.count = 4
        } _: { server in
            let request = "GET \(Self.path)?\(server.credentials()) HTTP/1.1\r\nHost: x\r\n\r\n"
            var served: [RawConnection] = []
            func answers(_ connection: RawConnection) -> Int {
                connection.received.ranges(of: "HTTP/1.1 200 ").count
            }
            // Those that come at the same time are taken in together, so the limit counts for who comes after.
            for _ in 0..<4 { served.append(try await RawConnection(port: server.port)) }
            for connection in served {
                #expect(await connection.send(request))
                while answers(connection) < 1 { try await Task.sleep(for: .milliseconds(5)) }
            }
            let waiting = try await RawConnection(port: server.port)
            #expect(await waiting.send(request))
            for connection in served {
                #expect(await connection.send(request))
                while answers(connection) < 2 { try await Task.sleep(for: .milliseconds(5)) }
            }
            // It was sent before the others were.
            #expect(waiting.received == "")
            await served[0].close()
            while !waiting.received.hasPrefix("HTTP/1.1 200 ") { try await Task.sleep(for: .milliseconds(5)) }
            for connection in served + [waiting] { await connection.close() }
        }
    }
}
