import FolderSettings
import Foundation
import NIOCore
import NIOPosix
import StateStorage
import SyncModel
import SystemPackage
import Testing

@testable import FolderControl

#if canImport(Glibc)
    import Glibc
#endif

/// A folder with a state directory, removed with the value.
final class TemporaryFolder {
    let state: StateDirectory

    init() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "zf-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        state = try StateDirectory.create(in: FilePath(path))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: state.folder.string)
    }
}

/// Runs a server for a folder while the body runs.
func withServer(
    in folder: TemporaryFolder? = nil,
    _ body: (ControlClient, FakeHandler, StateDirectory) async throws -> Void
) async throws {
    let folder = try folder ?? TemporaryFolder()
    let handler = FakeHandler()
    let (listening, listens) = AsyncStream.makeStream(of: Void.self)
    let server = ControlServer(
        socket: try ControlSocket.prepare(for: folder.state, runtimeDirectory: nil), handler: handler,
        onListening: { listens.finish() })
    let running = Task {
        defer { listens.finish() }
        try await server.run()
    }
    await handler.onStop { running.cancel() }
    for await _ in listening {}
    do {
        try await body(ControlClient(for: folder.state), handler, folder.state)
        running.cancel()
        try await running.value
    } catch {
        running.cancel()
        throw error
    }
}

/// A daemon that answers by rote.
actor FakeHandler: ControlHandler {
    private(set) var timeouts: [Duration?] = []
    private(set) var isStopped = false
    private(set) var hasLeft = false
    private(set) var accounts: [AccountChange] = []
    private var stopping: @Sendable () -> Void = {}
    private var isHolding = false
    private var held: [CheckedContinuation<Void, Never>] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []

    func status(isOfPath: Bool) -> StatusReport { .sample }

    func reject(batch: String) throws -> Bool {
        guard batch != "refused" else { throw ControlError.refused("It cannot be put back.") }
        return batch == "b1"
    }

    func settledStatus(timeout: Duration?) async -> StatusReport {
        timeouts.append(timeout)
        if isHolding {
            await withCheckedContinuation { continuation in
                held.append(continuation)
                for watcher in watchers { watcher.resume() }
                watchers = []
            }
        }
        var report = StatusReport.sample
        report.verdict = .inSync
        return report
    }

    func plan(asKnown: Bool) -> PlanReport {
        PlanReport(
            steps: [PlannedStep(action: "write-file", path: "Note/b\u{301}\n.json")], isCurrent: !asKnown)
    }

    func approve(batch: String) -> Bool { batch == "b1" }

    func pause(for length: Duration?) -> PauseOutcome {
        PauseOutcome(
            sinceMilliseconds: 1, untilMilliseconds: length.map { 1 + Int64($0 / .milliseconds(1)) }, isAtRest: true)
    }

    func fetchAgain(_ paths: [FolderPath]) -> [FolderPath] { Array(paths.dropLast()) }

    func resume() throws -> Bool {
        throw StateError.configuration("zone", "is a sentence for people")
    }

    func change(_ account: AccountChange) throws {
        if account.userRecordName == "_other" { throw AccountChangeError.otherAccount("_other", "_ada") }
        accounts.append(account)
    }

    func call(_ call: DatabaseCall) throws -> String {
        guard call.operation == "zones/list" else { throw ControlError.refused("There is no \(call.operation).") }
        return "{\"database\":\"\(call.database)\"}"
    }

    func noteLeft() { hasLeft = true }

    func checkConfiguration() throws {
        throw StateError.configuration("zone", "is wrong for a person to read")
    }

    func reload() {}

    func stop() {
        isStopped = true
        stopping()
    }

    // MARK: The test's side

    func onStop(_ action: @escaping @Sendable () -> Void) { stopping = action }

    func holdSettling() { isHolding = true }

    func untilSomebodyWaits() async {
        guard held.isEmpty else { return }
        await withCheckedContinuation { watchers.append($0) }
    }

    func releaseSettling() {
        for continuation in held { continuation.resume() }
        held = []
    }
}

extension StatusReport {
    /// A report with something in every part.
    static let sample: StatusReport = {
        var pending = Pending()
        pending.uploads = 3
        return StatusReport(
            verdict: .syncing, reason: "3 files are on their way.", folder: "/home/ada/notes",
            server: "http://127.0.0.1:8080", container: "iCloud.example", environment: "development",
            database: "private", zone: "Notes", account: Account(status: "available", userRecordName: "_ada"),
            daemon: Daemon(pid: 7, startedMilliseconds: 1_700_000_000_000), lastFetchMilliseconds: 1_700_000_000_001,
            lastPushMilliseconds: nil, records: 12, pending: pending,
            progress: Progress(filesDone: 1, filesTotal: 4, bytesDone: 10, bytesTotal: 4_000_000_000),
            watch: Watch(directories: 3, unwatched: 0), held: [], conflicts: [], approval: nil)
    }()
}

/// Leaves what a daemon leaves that was killed: a socket at which nobody listens.
func leaveStaleSocket(at path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    let address = try SocketAddress(unixDomainSocketPath: path)
    let result = address.withSockAddr { pointer, size in bind(descriptor, pointer, socklen_t(size)) }
    try #require(result == 0)
}

/// Speaks to a control socket byte by byte.
struct RawConnection {
    private let path: String

    init(to directory: StateDirectory) throws {
        path = try ControlSocket.find(for: directory).path.string
    }

    /// Sends a text and reads so many lines.
    func talk(_ text: String, lines count: Int) async throws -> [String] {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var buffer = LineBuffer(limit: 1 << 20)
            var answers: [String] = []
            for try await bytes in inbound {
                buffer.append(bytes)
                while let line = try buffer.next() { answers.append(String(decoding: line, as: UTF8.self)) }
                if answers.count >= count { break }
            }
            return answers
        }
    }
}
