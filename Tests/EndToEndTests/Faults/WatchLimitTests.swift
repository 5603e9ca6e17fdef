import Foundation
import Glibc
import Testing

/// What inotify has too little of is never silent blindness.
@Suite("Limits of inotify", .timeLimit(.minutes(30)))
struct WatchLimitTests {
    /// Whether a limit of one's own is possible: it is one of the user namespace.
    static let canLimitWatches: Bool = {
        guard
            let probe = try? RunningProgram(
                arguments: ["-Ur", "sh", "-c", "echo 100 > /proc/sys/user/max_inotify_watches"],
                executable: URL(filePath: "/usr/bin/unshare"))
        else { return false }
        for _ in 0..<1000 where probe.isRunning { usleep(10_000) }
        if !probe.hasSucceeded { print("no user namespaces here: \(probe.errors)") }
        return probe.hasSucceeded
    }()

    @Test(
        "With 100 watches for 500 folders status is degraded and names the sysctl; changes in all of them still arrive",
        .enabled(if: canLimitWatches, "needs user namespaces"))
    func watches() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        for number in 0..<500 { try laptop.write("first\n", to: "d\(number)/a.txt") }
        let daemon = try RunningProgram(
            arguments: [
                "-Ur", "sh", "-c", "echo 100 > /proc/sys/user/max_inotify_watches; exec \"$0\" run \"$1\"",
                RealProgram.executable.path, laptop.path,
            ], executable: URL(filePath: "/usr/bin/unshare"))
        try await laptop.untilDaemonAnswers(daemon)
        let status = try await RealProgram.run("status", laptop.path, "--wait=120")
        #expect(status.status == 6 && status.output.hasPrefix("degraded"), "\(status.output)")
        #expect(status.output.contains("sysctl fs.inotify.max_user_watches="), "\(status.output)")
        #expect(try StateHonesty.living(in: world) == 500)

        let mark = try StateHonesty.changes(of: world)
        for number in 0..<500 { try laptop.write("second\n", to: "d\(number)/a.txt") }
        // By itself, in the audit's interval of a minute.
        #expect(try await eventually(within: .seconds(180)) { try StateHonesty.changes(of: world) == mark + 500 })
        #expect(daemon.isRunning)
    }

    private static let queueLimit = "/proc/sys/fs/inotify/max_queued_events"

    @Test(
        "Of 50,000 events in one burst at a queue of 1,024 nothing is missed",
        .enabled(if: access(queueLimit, W_OK) == 0, "needs root"))
    func burst() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = try await world.pair(files: 1)
        // Each instance keeps the limit that it began with: the machine has it for an instant only.
        let usual = try String(contentsOfFile: Self.queueLimit, encoding: .utf8)
        try setQueueLimit("1024\n")
        let daemon: RunningProgram
        do {
            daemon = try laptop.run()
            try await laptop.untilDaemonAnswers(daemon)
            try setQueueLimit(usual)
        } catch {
            try setQueueLimit(usual)
            throw error
        }
        #expect(try await laptop.settledVerdict() == "in-sync")

        // It looks at nothing while 500 files are saved 25 times, by rename: four events each.
        daemon.freeze()
        for round in 0..<25 {
            for number in 0..<500 { try save("round \(round)\n", at: laptop.path + "/b\(number).txt") }
        }
        daemon.thaw()
        #expect(try await eventually { try StateHonesty.living(in: world) == 501 })
        #expect(try await laptop.settledVerdict() == "in-sync")
        try await desk.sync()
        #expect(try desk.contents() == laptop.contents())
        #expect(desk.read("b499.txt") == "round 24\n")
        #expect(daemon.isRunning)
    }

    /// By rename, and without all that makes it slow.
    private func save(_ text: String, at path: String) throws {
        let new = path + ".new"
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let bytes = Array(text.utf8)
        guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count, close(file) == 0,
            rename(new, path) == 0
        else { throw TestFailure("\(path) cannot be saved") }
    }

    /// In place: a file of `/proc` cannot be replaced.
    private func setQueueLimit(_ text: String) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: Self.queueLimit))
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }
}
