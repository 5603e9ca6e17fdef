import CloudKitClient
import HTTPTypes
import Testing

/// Sends one request over a transport of its own, which is shut down afterwards.
private func send(
    _ request: TransportRequest, timeouts: HTTPTransport.Timeouts = .init()
) async throws -> Result<TransportResponse, TransportError> {
    let transport = HTTPTransport(timeouts: timeouts)
    let result: Result<TransportResponse, TransportError>
    do {
        result = .success(try await transport.send(request))
    } catch {
        result = .failure(error)
    }
    try await transport.shutdown()
    return result
}

private func code(_ result: Result<TransportResponse, TransportError>) -> TransportError.Code? {
    if case .failure(let error) = result { error.code } else { nil }
}

private func get(_ server: RawServer, lane: TransportRequest.Lane = .api) -> TransportRequest {
    TransportRequest(lane: lane, method: .get, url: "http://127.0.0.1:\(server.port)/x?ckWebAuthToken=secret")
}

@Suite("The network, on the loopback device", .timeLimit(.minutes(30)))
struct HTTPTransportTests {
    @Test("Any status is a response, with its headers and body")
    func response() async throws {
        let answer = "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 4\r\n\r\nbusy"
        try await RawServer.withServer({ _ in .answer(answer) }) { server in
            let response = try await send(get(server)).get()
            #expect(response.status == 503)
            #expect(response.headers[.retryAfter] == "7")
            #expect(response.body == Array("busy".utf8))
        }
    }

    @Test("Redirects are not followed: credentials go to no other host")
    func redirect() async throws {
        let answer = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
        try await RawServer.withServer({ _ in .answer(answer) }) { server in
            let response = try await send(get(server)).get()
            #expect(response.status == 302)
        }
    }

    @Test("Nobody listens: unreachable at once, and nothing was done")
    func refused() async throws {
        let port = try DeafPort()
        let request = TransportRequest(lane: .api, method: .get, url: "http://127.0.0.1:\(port.number)/")
        guard case .failure(let error) = try await send(request) else {
            Issue.record("Something answered")
            return
        }
        #expect(error.code == .unreachable)
        #expect(!error.requestMayHaveArrived)
        _ = consume port
    }

    @Test("A connection that closes under a request: lost, and the request may have arrived")
    func closed() async throws {
        for act in [RawServer.Act.close, .answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")] {
            try await RawServer.withServer({ _ in act }) { server in
                guard case .failure(let error) = try await send(get(server)) else {
                    Issue.record("Half an answer was taken for one")
                    return
                }
                #expect(error.code == .connectionLost)
                #expect(error.requestMayHaveArrived)
                #expect(!"\(error) \(error.message)".contains("secret"))
            }
        }
    }

    @Test("A server that says nothing: timed out")
    func silence() async throws {
        var timeouts = HTTPTransport.Timeouts()
        timeouts.request = .milliseconds(50)
        timeouts.courier = .milliseconds(50)
        timeouts.idle = .milliseconds(50)
        for lane in TransportRequest.Lane.allCases {
            try await RawServer.withServer({ _ in .silence }) { [timeouts] server in
                let result = try await send(get(server, lane: lane), timeouts: timeouts)
                #expect(code(result) == .timedOut)
            }
        }
    }

    @Test("An answer of which the rest never comes: timed out, whatever was asked", arguments: [0, 4])
    func halfAnAnswer(bytes: Int) async throws {
        var timeouts = HTTPTransport.Timeouts()
        timeouts.request = .milliseconds(50)
        timeouts.courier = .milliseconds(50)
        timeouts.idle = .milliseconds(50)
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + String(repeating: "x", count: bytes)
        for lane in TransportRequest.Lane.allCases {
            try await RawServer.withServer({ _ in .answer(answer) }) { [timeouts] server in
                let result = try await send(get(server, lane: lane), timeouts: timeouts)
                #expect(code(result) == .timedOut, "\(lane)")
            }
        }
    }

    @Test("What is no URL is said to be none", arguments: ["", "nonsense", "ftp://example/x", "http://"])
    func badURL(url: String) async throws {
        let result = try await send(TransportRequest(lane: .api, method: .get, url: url))
        #expect(code(result) == .badURL)
    }

    @Test("A file travels in pieces and arrives whole")
    func upload() async throws {
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 700_000)
        let source = ByteSource(length: 700_000) { offset, count in
            #expect(count <= 256 << 10)
            return Array(bytes[Int(offset)..<Int(offset) + count])
        }
        try await RawServer.withServer({ requests in
            .answer(
                "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n\(requests.last!.utf8.count { $0 == UInt8(ascii: "x") })")
        }) { server in
            let request = TransportRequest(
                lane: .content, method: .post, url: "http://127.0.0.1:\(server.port)/", body: .stream(source))
            let response = try await send(request).get()
            #expect(String(decoding: response.body, as: UTF8.self) == "700000")
        }
    }

    @Test("A file that became shorter, or cannot be read, fails the request as its own fault")
    func brokenSource() async throws {
        struct Gone: Error {}
        let sources = [
            ByteSource(length: 10) { _, _ in throw Gone() },
            ByteSource(length: 10) { offset, _ in offset == 0 ? [1, 2, 3] : [] },
        ]
        for source in sources {
            try await RawServer.withServer({ _ in .answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }) { server in
                let request = TransportRequest(
                    lane: .content, method: .post, url: "http://127.0.0.1:\(server.port)/", body: .stream(source))
                let result = try await send(request)
                #expect(code(result) == .sourceFailed)
            }
        }
    }

    @Test("A download gives its sink the body of a 200, and of an error nothing")
    func download() async throws {
        let transport = HTTPTransport()
        let good = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
        let bad = "HTTP/1.1 410 Gone\r\nContent-Length: 4\r\n\r\ngone"
        try await RawServer.withServer({ .answer($0.count == 1 ? good : bad) }) { server in
            let sink = ByteSink()
            let first = try await transport.download(get(server, lane: .content)) { await sink.take($0) }
            #expect(first.status == 200 && first.body.isEmpty)
            let second = try await transport.download(get(server, lane: .content)) { await sink.take($0) }
            #expect(second.status == 410 && second.body == Array("gone".utf8))
            #expect(await sink.bytes == Array("hello".utf8))
        }
        try await transport.shutdown()
    }

    @Test("A fresh download has a connection of its own, others share one")
    func freshConnections() async throws {
        let transport = HTTPTransport()
        @Sendable func answer(_ text: String) -> RawServer.Act {
            .answer("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
        }
        // Each connection counts its own requests.
        try await RawServer.withServer({ answer("\($0.count)") }) { server in
            for (lane, expected) in [(TransportRequest.Lane.content, "123"), (.freshContent, "111")] {
                let sink = ByteSink()
                for _ in 0..<3 { _ = try await transport.download(get(server, lane: lane)) { await sink.take($0) } }
                #expect(String(decoding: await sink.bytes, as: UTF8.self) == expected)
            }
        }
        try await transport.shutdown()
    }

    @Test("A cancelled task stops waiting")
    func cancelled() async throws {
        let transport = HTTPTransport()
        try await RawServer.withServer({ _ in .silence }) { server in
            let request = get(server, lane: .courier)
            let task = Task { () -> TransportError.Code? in
                do throws(TransportError) {
                    _ = try await transport.send(request)
                    return nil
                } catch {
                    return error.code
                }
            }
            task.cancel()
            #expect(await task.value == .cancelled)
        }
        try await transport.shutdown()
    }
}

/// Collects a download.
private actor ByteSink {
    private(set) var bytes: [UInt8] = []
    func take(_ more: [UInt8]) { bytes += more }
}
