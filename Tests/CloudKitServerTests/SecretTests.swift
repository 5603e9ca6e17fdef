import CloudKitServer
import Logging
import Synchronization
import SystemPackage
import Testing

@testable import CloudKitServer

/// Keeps every line that is logged, with its metadata.
private final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])
    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(lines: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.lines.withLock { $0.append("\(event.message) \(metadata) \(event.metadata ?? [:])") }
        }
    }
}

@Suite("Secrets stay where they belong")
struct SecretTests {
    @Test("No token, password or signature is in the log, at its finest, nor in any refusal")
    func logAndErrors() async throws {
        let log = LogLines()
        let observed = Mutex("")
        try await withServer(logger: log.logger) {
            $0.store.passwordCost = PasswordHash.Cost(rounds: 16, blockSize: 1, parallelism: 1)
            $0.observe = { event in observed.withLock { $0 += "\(event)" } }
        } _: { server in
            let store = server.server.store
            let password = "open, sesame, quite long"
            _ = try store.setPassword(password, ofUser: "ada", container: TestServer.container)
            let path = "/database/1/\(TestServer.container)/development/private/zones/list"
            var secrets = [server.user.apiToken, server.user.webAuthToken, password, encoded(server.user.webAuthToken)]
            var refusals = ""

            let first = try await server.get("zones/list")
            secrets.append(try #require(first.nextToken))
            for query in [
                "ckAPIToken=\(server.user.apiToken)", "ckAPIToken=\(server.user.webAuthToken)",
                server.credentials() + "x",
            ] {
                refusals += try await server.sendRaw("GET", path + "?" + query, nil).text
            }
            let signature = "MEQCIE50D88HlvLoCY6P4v3n0TzHdR6KaAZna1qnv"
            secrets.append(signature)
            refusals += try await server.sendRaw(
                "GET", path, nil,
                headers: [
                    "X-Apple-CloudKit-Request-KeyID": "ab", "X-Apple-CloudKit-Request-ISO8601Date": "x",
                    "X-Apple-CloudKit-Request-SignatureV1": signature,
                ]
            ).text
            refusals += try await server.post("records/modify", "{" + server.user.webAuthToken).text
            let form = "request=x&name=ada&password=\(encoded(password))"
            refusals += try await server.sendRaw(
                "POST", "/sign-in", Array(form.utf8), contentType: "application/x-www-form-urlencoded"
            ).text

            for secret in secrets {
                #expect(!log.text.contains(secret))
                #expect(!observed.withLock { $0 }.contains(secret))
                #expect(!refusals.contains(secret))
            }
            #expect(log.text.contains("Answered a request"), "The log was looked at")
        }
    }

    @Test("The database holds no token and no password as it is")
    func stored() async throws {
        try await withTemporaryDirectory { directory in
            let password = "open, sesame, quite long"
            let user = try WebServicesServer.addUser(
                name: "ada", container: TestServer.container, environment: "development", password: password,
                in: directory)
            let names = ["server.sqlite", "server.sqlite-wal"]
            let stored = names.compactMap { try? readFile(directory.appending($0)) }.map {
                String(decoding: $0, as: UTF8.self)
            }
            #expect(stored.contains { $0.contains("scrypt:16384:8:5:") })
            for secret in [password, user.apiToken, user.webAuthToken] {
                #expect(!stored.contains { $0.contains(secret) })
            }
        }
    }
}
