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
        let daemon = try run(laptop, watches: 100)
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

    @Test(
        "What could not be watched and is deleted, or left out, is missed no longer: the folder is in sync again",
        .enabled(if: canLimitWatches, "needs user namespaces"), arguments: ["deleted", "left out"])
    func reliefs(how: String) async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        try laptop.write("first\n", to: "a.txt")
        for number in 0..<500 {
            let path = laptop.url.appending(path: "big/d\(number / 25)/e\(number % 25)")
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        }
        let daemon = try run(laptop, watches: 100)
        try await laptop.untilDaemonAnswers(daemon)
        let status = try await RealProgram.run("status", laptop.path, "--wait=120")
        #expect(status.status == 6, "\(status.output)")
        if how == "deleted" {
            try FileManager.default.removeItem(atPath: laptop.path + "/big")
        } else {
            try laptop.write("big/\n", to: ".zonefolderignore")
        }
        try await untilStatus(of: laptop, is: "in-sync")
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

    @Test(
        "Where inotify itself is lost, status is degraded; once there is some again, changes are heard at once",
        .enabled(if: canLimitWatches, "needs user namespaces"))
    func lostInotify() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        try laptop.write("first\n", to: "a.txt")
        // As many as the library begins anew for, once all of them are gone.
        for number in 0..<17_000 { _ = mkdir("\(laptop.path)/d\(number)", 0o700) }
        let daemon = try RunningProgram(
            arguments: ["-Ur", RealProgram.executable.path, "run", laptop.path],
            executable: URL(filePath: "/usr/bin/unshare"))
        try await laptop.untilDaemonAnswers(daemon)
        #expect(try await laptop.settledVerdict() == "in-sync")

        try await setInstanceLimit(0, of: daemon)
        for number in 0..<17_000 { _ = rmdir("\(laptop.path)/d\(number)") }
        try await untilStatus(of: laptop, is: "degraded")
        let status = try await RealProgram.run("status", laptop.path)
        #expect(status.output.contains("→ sysctl fs.inotify.max_user_instances="), "\(status.output)")

        try await setInstanceLimit(100, of: daemon)
        try await untilStatus(of: laptop, is: "in-sync")
        let began = ContinuousClock.now
        try laptop.write("second\n", to: "b.txt")
        #expect(try await eventually { try StateHonesty.living(in: world) == 2 })
        // Without a watch it is found after a minute.
        #expect(ContinuousClock.now - began < .seconds(30))
        #expect(daemon.isRunning)
    }

    /// A daemon that may have so few watches.
    private func run(_ folder: RealFolder, watches: Int) throws -> RunningProgram {
        try RunningProgram(
            arguments: [
                "-Ur", "sh", "-c", "echo \(watches) > /proc/sys/user/max_inotify_watches; exec \"$0\" run \"$1\"",
                RealProgram.executable.path, folder.path,
            ], executable: URL(filePath: "/usr/bin/unshare"))
    }

    private func untilStatus(of folder: RealFolder, is verdict: String) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while try await folder.report().verdict != verdict {
            guard ContinuousClock.now < deadline else { throw TestFailure("\(try await folder.report())") }
        }
    }

    /// How many instances of inotify the user namespace of a process may have.
    private func setInstanceLimit(_ count: Int, of daemon: RunningProgram) async throws {
        let command = "echo \(count) > /proc/sys/user/max_inotify_instances"
        let process = try RunningProgram(
            arguments: ["-t", "\(daemon.pid)", "-U", "--preserve-credentials", "sh", "-c", command],
            executable: URL(filePath: "/usr/bin/nsenter"))
        guard try await process.ended(within: .seconds(60)) == 0 else {
            throw TestFailure("the limit cannot be set: \(process.errors)")
        }
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
