import CloudKitServer
import Foundation

/// A folder on a file system of its own, so small that it gets full, with the daemon that syncs it.
///
/// It is mounted in a namespace that nobody else sees, and goes with the daemon.
final class SmallDisk: Sendable {
    /// The folder as this process reaches it.
    let folder: RealFolder
    /// The folder as the daemon knows it.
    private let path: String
    private let daemon: RunningProgram

    /// Whether this machine lets one mount things in a namespace.
    static var isAvailable: Bool {
        get async {
            let process = try? RunningProgram(
                arguments: ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"],
                executable: URL(filePath: "/usr/bin/unshare"))
            return (try? await process?.ended(within: .seconds(30))) == 0
        }
    }

    /// Sets up a folder and starts its daemon.
    init(in world: ObservedWorld, named name: String, megabytes: Int) async throws {
        let place = world.place.appending(path: name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        path = place.path
        let account = try world.addUser()
        let script = """
            mount -t tmpfs -o size=\(megabytes)m none "$1" && shift &&
            "$0" init "$@" >&2 && exec "$0" run "$1"
            """
        // The folder's name stands twice: one is the place to mount at, the other that of `init` and `run`.
        daemon = try RunningProgram(
            arguments: [
                "-rm", "sh", "-c", script, RealProgram.executable.path, path,
                path, "--server", world.url, "--container", ObservedWorld.container, "--zone", "Notes", "--device",
                name,
                "--api-token", account.apiToken, "--web-auth-token-file", "-",
            ], input: account.webAuthToken + "\n", executable: URL(filePath: "/usr/bin/unshare"))
        folder = RealFolder(url: URL(filePath: "/proc/\(daemon.pid)/root\(path)"))
        for _ in 0..<1000 {
            if try await run("plan", path).status == 0 { return }
            guard daemon.isRunning else { break }
        }
        throw TestFailure("the daemon does not answer: \(daemon.output)\(daemon.errors)")
    }

    /// Runs a command where the disk is to be seen.
    func run(_ arguments: String...) async throws -> RealProgram.Outcome {
        try await enter([RealProgram.executable.path] + arguments)
    }

    /// Gives the disk another size.
    func resize(toMegabytes megabytes: Int) async throws {
        let outcome = try await enter(["mount", "-o", "remount,size=\(megabytes)m", "none", path])
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
    }

    func report() async throws -> RealFolder.Report {
        try JSONDecoder().decode(
            RealFolder.Report.self, from: Data(try await run("status", path, "--json").output.utf8))
    }

    func settledVerdict() async throws -> String {
        try folder.verdict(in: try await run("status", path, "--wait=60", "--json"))
    }

    private func enter(_ words: [String]) async throws -> RealProgram.Outcome {
        let process = try RunningProgram(
            arguments: ["-t", "\(daemon.pid)", "-U", "-m", "--preserve-credentials"] + words,
            executable: URL(filePath: "/usr/bin/nsenter"))
        guard let status = try await process.ended(within: .seconds(180)) else {
            throw TestFailure("\(words) did not end")
        }
        return RealProgram.Outcome(status: status, output: process.output, errors: process.errors)
    }
}
