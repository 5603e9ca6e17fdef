import CloudKitServer
import Logging
import Synchronization
import Testing

/// Keeps what is logged.
private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(log: self) }
        logger.logLevel = .warning
        return logger
    }

    private struct Handler: LogHandler {
        let log: Log
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let details = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }
            log.lines.withLock { $0.append("\(event.message) \(details)") }
        }
    }
}

/// How a request begins and a connection ends. The limits are such that nothing else ends one meanwhile.
@Suite("Requests that ask first, and connections that end", .timeLimit(.minutes(30)))
struct ConnectionEndTests {
    private static let base = "/database/1/\(TestServer.container)/development/private"

    private func wait(for text: String, on connection: RawConnection) async throws {
        while !connection.received.contains(text) { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("A client that asks whether its body is wanted is told so, once, and sends it")
    func expectation() async throws {
        try await withServer { server in
            let asking = try await RawConnection(port: server.port)
            _ = await asking.send(
                "POST \(Self.base)/zones/lookup?\(server.credentials()) HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n"
                    + "Expect: 100-continue\r\n\r\n")
            try await wait(for: "\r\n\r\n", on: asking)
            #expect(asking.received == "HTTP/1.1 100 Continue\r\n\r\n")
            _ = await asking.send(#"{"zones":[]}"#)
            try await wait(for: "HTTP/1.1 200 ", on: asking)
            #expect(asking.received.ranges(of: "100 Continue").count == 1)
            await asking.close()
        }
    }

    @Test("A body that is too large is refused instead")
    func largeExpectation() async throws {
        try await withServer { server in
            for path in ["\(Self.base)/zones/lookup?\(server.credentials())", "/assets/upload?x=y"] {
                let asking = try await RawConnection(port: server.port)
                _ = await asking.send(
                    "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\nExpect: 100-continue\r\n\r\n")
                try await wait(for: "\r\n\r\n", on: asking)
                #expect(asking.received.hasPrefix("HTTP/1.1 4"))
                await asking.close()
            }
        }
    }

    @Test("A client that asks behind a request of its own is told so behind that one's answer")
    func expectationBehind() async throws {
        try await withServer { server in
            let asking = try await RawConnection(port: server.port)
            _ = await asking.send(
                "GET \(Self.base)/zones/list?\(server.credentials()) HTTP/1.1\r\nHost: x\r\n\r\n"
                    + "POST \(Self.base)/zones/lookup HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n"
                    + "Expect: 100-continue\r\n\r\n")
            try await wait(for: "100 Continue\r\n\r\n", on: asking)
            #expect(asking.received.hasPrefix("HTTP/1.1 200 "))
            #expect(asking.received.hasSuffix("}HTTP/1.1 100 Continue\r\n\r\n"))
            await asking.close()
        }
    }

    @Test("HTTP/1.0 ends with its answer, unless the client asks to go on")
    func oldVersion() async throws {
        try await withServer {
            $0.connections.idle = .seconds(3600)
        } _: { server in
            let get = "GET \(Self.base)/zones/list?\(server.credentials()) HTTP/1.0\r\n"
            let old = try await RawConnection(port: server.port)
            _ = await old.send(get + "Connection: keep-alive\r\n\r\n")
            try await wait(for: "HTTP/1.1 200 ", on: old)
            _ = await old.send(get + "\r\n")
            let answers = try await old.closed()
            #expect(answers.ranges(of: "HTTP/1.1 200 ").count == 2)
            #expect(answers.hasSuffix("}"))
        }
    }

    @Test("A request that never ends does not keep the server from ending, and the log says that it was cut off")
    func slowEnd() async throws {
        let log = Log()
        let stopped = try await withServer(logger: log.logger) {
            $0.connections.farewell = .milliseconds(50)
            $0.connections.bodyGrace = .seconds(3600)
            $0.connections.idle = .seconds(3600)
        } _: { server in
            let stopped = try await RawConnection(port: server.port)
            _ = await stopped.send(
                "POST \(Self.base)/zones/lookup HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n"
                    + "Expect: 100-continue\r\n\r\n")
            try await wait(for: "100 Continue", on: stopped)
            return stopped
        }
        #expect(try await stopped.closed() == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(log.text.contains("cut off requests"))
        #expect(log.text.contains("connections=1"))
    }

    @Test("A server without TLS says that there is no certificate to read again")
    func noCertificate() async throws {
        let log = Log()
        try await withServer(logger: log.logger) { server in
            server.server.readCertificate()
        }
        #expect(log.text.contains("nothing to read again"))
    }
}
