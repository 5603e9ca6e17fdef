import Foundation
import Synchronization
import Testing

/// A server and the folders of one user, all real, in a directory that goes with the value.
final class RealWorld: Sendable {
    static let container = "iCloud.org.example.tests"

    let place: URL
    let url: String
    private let host: String
    private let options: [String]
    private let server: Mutex<RunningProgram>

    /// Starts a server on a free port, with further options of `serve`.
    /// - Parameters:
    ///   - host: The address of this machine to listen on.
    ///   - faults: Whether it fails on demand.
    ///   - prepare: What is done with the directory before: its `server` becomes the server's data.
    init(
        _ options: String..., host: String = "127.0.0.1", faults: Bool = false,
        prepare: (URL) async throws -> Void = { _ in }
    ) async throws {
        self.host = host
        self.options = options + (faults ? ["--faults"] : []) + Self.permission(host)
        place = FileManager.default.temporaryDirectory.appending(path: "zf-world-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try await prepare(place)
        let first = try Self.serve(place, host: host, port: "0", self.options)
        server = Mutex(first)
        url = try await first.firstLine()
    }

    /// Only on this machine itself a server needs none to do without TLS.
    private static func permission(_ host: String) -> [String] { host == "127.0.0.1" ? [] : ["--plain-http"] }

    private static func serve(
        _ place: URL, host: String, port: some StringProtocol, _ options: [String], with fault: FaultInjection? = nil
    ) throws -> RunningProgram {
        try RunningProgram(
            arguments: ["serve", "--data", place.appending(path: "server").path, "--listen", "\(host):\(port)"]
                + options, with: fault)
    }

    /// What the server logged.
    var serverErrors: String { server.withLock { $0 }.errors }

    /// Where a server that fails on demand is told to.
    func faultsURL() async throws -> String {
        let server = server.withLock { $0 }
        _ = try await eventually { server.output.split(separator: "\n").count > 1 }
        guard let line = server.output.split(separator: "\n").dropFirst().first else {
            throw TestFailure("the server printed no second line: \(server.output)")
        }
        return String(line)
    }

    deinit {
        server.withLock { $0 }.kill()
        try? FileManager.default.removeItem(at: place)
    }

    /// Stops the server as a service manager does, and gives its exit status.
    func stopServer() async throws -> Int32? {
        let server = server.withLock { $0 }
        server.terminate()
        return try await server.ended(within: .seconds(120))
    }

    /// Holds the server still: connections stay, and nothing is answered.
    func freezeServer() { server.withLock { $0 }.freeze() }
    func thawServer() { server.withLock { $0 }.thaw() }

    /// Kills the server, as `kill -9` does.
    func killServer() async throws {
        let server = server.withLock { $0 }
        server.kill()
        guard try await server.ended(within: .seconds(120)) == -9 else { throw TestFailure("not killed") }
    }

    /// Waits until the server was killed from within, or something else holds.
    /// - Returns: Whether it was killed.
    func untilServerDies(or holds: () throws -> Bool) async throws -> Bool {
        let server = server.withLock { $0 }
        _ = try await eventually { try !server.isRunning || holds() }
        return !server.isRunning
    }

    /// Starts the server again, with the same data, on the same port.
    func startServer(with fault: FaultInjection? = nil) async throws {
        let port = try #require(url.split(separator: ":").last)
        let again = try Self.serve(place, host: host, port: port, options, with: fault)
        server.withLock { $0 = again }
        let printed = try await again.firstLine()
        guard printed == url else { throw TestFailure("the server listens at \(printed) and no longer at \(url)") }
    }

    /// Adds a sign-in of the user.
    func addUser(_ name: String = "ada", environment: String = "development") async throws -> Account {
        let outcome = try await RealProgram.run(
            "serve", "user", "add", name, "--data", place.appending(path: "server").path, "--container", Self.container,
            "--environment", environment, "--json")
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
        return try JSONDecoder().decode(Account.self, from: Data(outcome.output.utf8))
    }

    /// Makes a folder that is set up for a zone, and reaches the server by its own URL or by another one.
    func addFolder(
        _ name: String, of user: String = "ada", server: String? = nil, zone: String = "Notes",
        environment: String = "development", options: [String] = []
    ) async throws -> RealFolder {
        let folder = RealFolder(url: place.appending(path: name))
        let outcome = try await initialize(
            folder, of: user, server: server, zone: zone, environment: environment, options: options)
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
        return folder
    }

    /// Runs `init`, and gives what became of it.
    func initialize(
        _ folder: RealFolder, of user: String = "ada", server: String? = nil, zone: String = "Notes",
        environment: String = "development", options: [String] = []
    ) async throws -> RealProgram.Outcome {
        let account = try await addUser(user, environment: environment)
        return try await RealProgram.run(
            arguments: [
                "init", folder.path, "--server", server ?? url, "--container", Self.container, "--zone", zone,
                "--device", folder.url.lastPathComponent, "--environment", environment, "--api-token",
                account.apiToken, "--web-auth-token-file", "-",
            ] + Self.permission(host) + options, input: account.webAuthToken + "\n")
    }

    /// Takes the schema over into production, some fields left out.
    func promoteSchema(without fields: String...) async throws {
        let data = place.appending(path: "server").path
        let outcome = try await RealProgram.run(
            arguments: ["schema", "promote", "--data", data, "--container", Self.container]
                + fields.flatMap { ["--without", $0] })
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
    }

    /// What `user add --json` prints.
    struct Account: Decodable, Sendable {
        var apiToken: String
        var webAuthToken: String
        var userRecordName: String
    }
}

/// A synced folder.
struct RealFolder: Sendable {
    let url: URL

    var path: String { url.path }

    func write(_ text: String, to name: String) throws {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func read(_ name: String) -> String? {
        try? String(contentsOf: url.appending(path: name), encoding: .utf8)
    }

    func delete(_ name: String) throws {
        try FileManager.default.removeItem(at: url.appending(path: name))
    }

    /// Every file's path and bytes, without the state directory.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in FileManager.default.enumerator(atPath: path) ?? .init() {
            guard let name = name as? String, !name.hasPrefix(".zonefolder") else { continue }
            if let bytes = FileManager.default.contents(atPath: path + "/" + name) { files[name] = bytes }
        }
        return files
    }

    /// Runs its daemon in the foreground.
    func run() throws -> RunningProgram {
        try RunningProgram(arguments: ["run", path])
    }

    /// Waits until the folder has settled, and gives the verdict.
    func settledVerdict() async throws -> String {
        let outcome = try await RealProgram.run("status", path, "--wait=120", "--json")
        return try verdict(in: outcome)
    }

    /// The verdict in what `status --json` printed.
    func verdict(in outcome: RealProgram.Outcome) throws -> String {
        struct Report: Decodable { var verdict: String }
        guard let report = try? JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8)) else {
            throw TestFailure("no report: \(outcome.output)\(outcome.errors)")
        }
        return report.verdict
    }

    /// Waits until its daemon answers.
    func untilDaemonAnswers(_ daemon: RunningProgram) async throws {
        for _ in 0..<1000 {
            if try await RealProgram.run("plan", path).status == 0 { return }
            guard daemon.isRunning else { break }
        }
        throw TestFailure("the daemon does not answer: \(daemon.errors)")
    }
}
