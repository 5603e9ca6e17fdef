import FolderSettings
import Foundation
import NIOCore
import NIOPosix
import ServiceLifecycle
import StateStorage
import SyncModel
import SystemPackage
import Testing

@testable import FolderControl

@Suite("Control socket", .timeLimit(.minutes(30)))
struct ControlSocketTests {
    @Test("Every request reaches the handler and its answer the client")
    func everyRequest() async throws {
        try await withServer { client, handler, _ in
            let report = try await client.status()
            #expect(report == .sample)
            #expect(try await client.settledStatus(timeout: .milliseconds(1500)).verdict == .inSync)
            #expect(try await client.settledStatus(timeout: nil).verdict == .inSync)
            let plan = try await client.plan()
            #expect(plan.steps == [PlannedStep(action: "write-file", path: "Note/b\u{301}\n.json")])
            #expect(plan.isCurrent)
            #expect(try await !client.plan(asKnown: true).isCurrent)
            #expect(try await client.approve(batch: "b1"))
            #expect(try await client.approve(batch: "b2") == false)
            #expect(await handler.timeouts == [.milliseconds(1500), nil])
        }
    }

    @Test("A pause with and without an end reaches the handler; why one cannot be ended comes back in its words")
    func pausing() async throws {
        try await withServer { client, _, _ in
            let (limited, unlimited) = (try await client.pause(for: .seconds(2)), try await client.pause(for: nil))
            #expect(limited.untilMilliseconds == 2001 && unlimited.untilMilliseconds == nil)
            await #expect(throws: ControlError.refused("config.toml: 'zone' is a sentence for people")) {
                _ = try await client.resume()
            }
        }
    }

    @Test("Rejecting a batch reaches the handler; why it cannot be put back comes back in its words")
    func rejecting() async throws {
        try await withServer { client, _, _ in
            let (known, unknown) = (try await client.reject(batch: "b1"), try await client.reject(batch: "b2"))
            #expect(known && !unknown)
            await #expect(throws: ControlError.refused("It cannot be put back.")) {
                _ = try await client.reject(batch: "refused")
            }
        }
    }

    @Test("Files that are to come once more are named in both directions, whatever bytes their names have")
    func fetchingAgain() async throws {
        try await withServer { client, _, _ in
            let paths = [FolderPath(bytes: [0x61, 0xFF, 0x0A])!, FolderPath("Note/b\u{301}.jpg")!]
            let coming = try await client.fetchAgain(paths)
            #expect(coming == [paths[0]])
        }
    }

    @Test("A configuration that is wrong closes no folder, and is told in the daemon's words")
    func reloading() async throws {
        try await withServer { client, _, _ in
            await #expect(throws: ControlError.refused("config.toml: 'zone' is wrong for a person to read")) {
                try await client.reload()
            }
            let report = try await client.status()
            #expect(report == .sample)
        }
    }

    @Test("Other credentials reach the handler whole, a sign-out too; a refusal comes back in its words")
    func account() async throws {
        try await withServer { client, handler, _ in
            let changes = [
                AccountChange(Credentials(apiToken: "api", webAuthToken: "106__54__a+b/c=="), of: "_ada"),
                AccountChange(Credentials(apiToken: "api"), of: nil),
            ]
            for change in changes { try await client.change(change) }
            #expect(await handler.accounts == changes)
            await #expect {
                try await client.change(
                    AccountChange(Credentials(apiToken: "api", webAuthToken: "secret"), of: "_other"))
            } throws: { error in
                let error = error as? ControlError
                return error?.code == .refused && error?.message.contains("_ada") == true
                    && error?.message.contains("secret") == false
            }
        }
    }

    @Test("A daemon makes requests for others, and passes on why there is no answer")
    func calls() async throws {
        try await withServer { client, _, _ in
            let zones = DatabaseCall(database: "private", operation: "zones/list", body: nil)
            let answer = try await client.call(zones)
            #expect(answer == #"{"database":"private"}"#)
            let large = DatabaseCall(
                database: "private", operation: "zones/list", body: String(repeating: "x", count: 3 << 20))
            let answerToLarge = try await client.call(large)
            #expect(answerToLarge == #"{"database":"private"}"#)
            await #expect(throws: ControlError.refused("There is no zones/dance.")) {
                _ = try await client.call(DatabaseCall(database: "private", operation: "zones/dance", body: "{}"))
            }
        }
    }

    @Test("A daemon is told that the account left the zone")
    func leaving() async throws {
        try await withServer { client, handler, _ in
            try await client.noteLeft()
            #expect(await handler.hasLeft)
        }
    }

    @Test("Several clients are answered while one waits for the folder to settle")
    func clientsDoNotWaitForEachOther() async throws {
        try await withServer { client, handler, _ in
            await handler.holdSettling()
            async let settled = client.settledStatus(timeout: nil)
            await handler.untilSomebodyWaits()
            let report = try await client.status()
            #expect(report == .sample)
            await handler.releaseSettling()
            let verdict = try await settled.verdict
            #expect(verdict == .inSync)
        }
    }

    @Test("Stopping is answered before the daemon ends, and returns when the socket is closed")
    func stopping() async throws {
        try await withServer { client, handler, directory in
            try await client.stop()
            #expect(await handler.isStopped)
            await #expect(throws: ControlError.notRunning(directory.folder)) { try await client.status() }
        }
    }

    @Test("A command that comes while the folder is closed is answered or cut off, and ends nobody")
    func arrivals() async throws {
        let folder = try TemporaryFolder()
        for _ in 0..<50 {
            let (asked, asks) = AsyncStream.makeStream(of: ControlError?.self)
            try await withServer(in: folder) { client, _, _ in
                for _ in 0..<8 {
                    Task {
                        do throws(ControlError) {
                            _ = try await client.status()
                            asks.yield(nil)
                        } catch {
                            asks.yield(error)
                        }
                    }
                }
            }
            var count = 0
            for await error in asked {
                #expect(error?.message.contains("does not answer") != true)
                count += 1
                if count == 8 { break }
            }
        }
    }

    @Test("Only the owner may connect")
    func mode() async throws {
        try await withServer { _, _, directory in
            let path = try ControlSocket.find(for: directory).path.string
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("Without a daemon the error says how to start one")
    func nobodyListens() async throws {
        let directory = try TemporaryFolder()
        let client = try ControlClient(for: directory.state)
        await #expect {
            try await client.status()
        } throws: { error in
            (error as? ControlError)?.code == .notRunning && "\(error)".contains("zonefolder start")
        }
    }

    @Test("A socket that a killed daemon left is replaced")
    func staleSocket() async throws {
        let directory = try TemporaryFolder()
        let path = try ControlSocket.prepare(for: directory.state, runtimeDirectory: nil).path.string
        try leaveStaleSocket(at: path)
        try await withServer(in: directory) { client, _, _ in
            let report = try await client.status()
            #expect(report == .sample)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A socket at which another daemon answers is left alone")
    func socketInUse() async throws {
        try await withServer { client, _, directory in
            let second = ControlServer(
                socket: try ControlSocket.prepare(for: directory, runtimeDirectory: nil), handler: FakeHandler())
            await #expect {
                try await second.run()
            } throws: { error in
                (error as? ControlError)?.code == .inUse
            }
            let report = try await client.status()
            #expect(report == .sample)
        }
    }

    @Test("What stands in the socket's place and is no socket is not removed")
    func fileInTheWay() async throws {
        let directory = try TemporaryFolder()
        let socket = try ControlSocket.prepare(for: directory.state, runtimeDirectory: nil)
        let path = socket.path
        try Data("mine".utf8).write(to: URL(filePath: path.string))
        let server = ControlServer(socket: socket, handler: FakeHandler())
        await #expect(throws: ControlError.inTheWay(path)) { try await server.run() }
        #expect(FileManager.default.contents(atPath: path.string) == Data("mine".utf8))
    }

    @Test(
        "What is no request is refused, and the connection goes on",
        arguments: [
            "", "{", "[]", "{}", #"{"request":"dance"}"#, #"{"request":"approve"}"#, #"{"request":7}"#, "\u{1}",
        ])
    func nonsense(line: String) async throws {
        try await withServer { _, _, directory in
            let answers = try await RawConnection(to: directory).talk(
                line + "\n" + #"{"request":"status"}"# + "\n", lines: 2)
            #expect(answers[0].hasPrefix(#"{"error":"#))
            #expect(answers[1].hasPrefix(#"{"status":"#))
        }
    }

    @Test("An endless request is cut off with a reason, and the daemon goes on")
    func endlessRequest() async throws {
        try await withServer { client, _, directory in
            let flood = String(repeating: "x", count: ControlRequest.longestLine + 1)
            let answers = try await RawConnection(to: directory).talk(flood, lines: 1)
            #expect(answers[0].contains("\(ControlRequest.longestLine)"))
            let report = try await client.status()
            #expect(report == .sample)
        }
    }

    @Test("A request may come in pieces, and several at once")
    func piecesAndBatches() throws {
        var lines = LineBuffer(limit: 10)
        lines.append(ByteBuffer(string: "ab"))
        #expect(try lines.next() == nil)
        lines.append(ByteBuffer(string: "c\nde\n\nf"))
        #expect(try lines.next() == Array("abc".utf8))
        #expect(try lines.next() == Array("de".utf8))
        #expect(try lines.next() == [])
        #expect(try lines.next() == nil)
        lines.append(ByteBuffer(string: "\n0123456789\n0123456789a\n"))
        #expect(try lines.next() == Array("f".utf8))
        #expect(try lines.next() == Array("0123456789".utf8))
        #expect(throws: LineBuffer.LineTooLong.self) { try lines.next() }
    }
}
