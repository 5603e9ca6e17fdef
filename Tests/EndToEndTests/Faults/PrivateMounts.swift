import Foundation

/// A mount namespace in which file systems come and go without anybody else seeing them; it is gone with the value.
///
/// A process that sleeps holds it. Programs go into it by `nsenter`; the tests look into it through `/proc`.
final class PrivateMounts: Sendable {
    private let holder: RunningProgram

    /// Whether this user may have one here: in a container, and without root, often not.
    static let isPossible: Bool = {
        guard
            let probe = try? RunningProgram(
                arguments: ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
                executable: URL(filePath: "/usr/bin/unshare"))
        else { return false }
        for _ in 0..<1000 where probe.isRunning { usleep(10_000) }
        let isPossible = !probe.isRunning && probe.hasSucceeded
        if !isPossible { print("no private mounts here: \(probe.errors)") }
        return isPossible
    }()

    init() async throws {
        holder = try RunningProgram(
            // No test lasts so long; should the runner be killed, this goes by itself.
            arguments: ["-m", "sh", "-c", "echo ready; exec sleep 1800"],
            executable: URL(filePath: "/usr/bin/unshare"))
        _ = try await holder.firstLine()
    }

    /// Where a path of the namespace is to be found from outside.
    func seen(_ path: String) -> URL { URL(filePath: "/proc/\(holder.pid)/root" + path) }

    /// Starts a program in the namespace.
    func start(_ words: [String], input: String = "") throws -> RunningProgram {
        try RunningProgram(
            arguments: ["-m", "-t", "\(holder.pid)", "--"] + words, input: input,
            executable: URL(filePath: "/usr/bin/nsenter"))
    }

    /// Runs a program in the namespace to its end.
    func run(_ words: [String], input: String = "") async throws -> RealProgram.Outcome {
        let process = try start(words, input: input)
        guard let status = try await process.ended(within: .seconds(180)) else {
            throw TestFailure("\(words.joined(separator: " ")) does not end")
        }
        return RealProgram.Outcome(status: status, output: process.output, errors: process.errors)
    }

    /// As ``run(_:input:)``, for what must succeed.
    @discardableResult
    func must(_ words: String..., input: String = "") async throws -> String {
        try await must(words: words, input: input)
    }

    @discardableResult
    func must(words: [String], input: String = "") async throws -> String {
        let outcome = try await run(words, input: input)
        guard outcome.status == 0 else {
            throw TestFailure("\(words.joined(separator: " ")): \(outcome.output) \(outcome.errors)")
        }
        return outcome.output
    }
}

/// A synced folder on a file system of its own, which only its daemon's namespace has.
struct MountedFolder: Sendable {
    let mounts: PrivateMounts
    /// As the programs in the namespace name it.
    let path: String

    /// The folder as seen from outside, for looking at its files and changing them.
    var files: RealFolder { RealFolder(url: mounts.seen(path)) }

    /// Runs its daemon in the foreground.
    func run() throws -> RunningProgram {
        try mounts.start([RealProgram.executable.path, "run", path])
    }

    /// What `status --json` says, with further options.
    func report(_ options: String...) async throws -> RealFolder.Report {
        let outcome = try await mounts.run([RealProgram.executable.path, "status", path, "--json"] + options)
        guard let report = try? JSONDecoder().decode(RealFolder.Report.self, from: Data(outcome.output.utf8)) else {
            throw TestFailure("no report: \(outcome.output)\(outcome.errors)")
        }
        return report
    }

    /// Asks for its status until it is as wanted.
    func until(_ isWanted: (RealFolder.Report) -> Bool) async throws -> RealFolder.Report {
        let deadline = ContinuousClock.now + .seconds(120)
        var last: RealFolder.Report?
        while ContinuousClock.now < deadline {
            guard let report = try? await report() else { continue }
            if isWanted(report) { return report }
            last = report
        }
        throw TestFailure("the status stays \(String(describing: last))")
    }
}

extension RealWorld {
    /// Makes a folder and mounts something on it before it is set up for the zone.
    /// - Parameter mount: The words after `mount`, but for the place.
    func addFolder(_ name: String, in mounts: PrivateMounts, mount: [String]) async throws -> MountedFolder {
        let folder = MountedFolder(mounts: mounts, path: place.appending(path: name).path)
        try await mounts.must("mkdir", "-p", folder.path)
        let mounted = try await mounts.run(["mount"] + mount + [folder.path])
        guard mounted.status == 0 else { throw TestFailure("mount: \(mounted.errors)") }
        let account = try await addUser()
        try await mounts.must(
            RealProgram.executable.path, "init", folder.path, "--server", url, "--container", Self.container, "--zone",
            "Notes", "--device", name, "--environment", "development", "--api-token", account.apiToken,
            "--web-auth-token-file", "-", input: account.webAuthToken + "\n")
        return folder
    }
}
