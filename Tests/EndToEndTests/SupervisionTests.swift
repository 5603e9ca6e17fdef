import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("A daemon that systemd starts", .timeLimit(.minutes(30)))
struct SupervisionTests {
    /// Runs the program where `systemctl` is a script of the shell.
    private static func run(
        _ words: [String], in world: RealWorld, systemd: String
    ) async throws -> RealProgram.Outcome {
        let bin = world.place.appending(path: "bin")
        let systemctl = bin.appending(path: "systemctl")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        // By another process: what this one has open for writing, a process that is started meanwhile holds for a moment,
        // and no program can be run then (ETXTBSY).
        let writer = try RunningProgram(
            arguments: [
                "-c", #"printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod 755 "$1""#, "sh", systemctl.path, systemd,
            ],
            executable: URL(filePath: "/bin/sh"))
        guard try await writer.ended(within: .seconds(60)) == 0 else { throw TestFailure(writer.errors) }
        let process = try RunningProgram(
            arguments: ["PATH=\(bin.path):/usr/bin:/bin", RealProgram.executable.path] + words,
            executable: URL(filePath: "/usr/bin/env"))
        let status = try await process.ended(within: .seconds(120))
        return RealProgram.Outcome(status: status ?? -1, output: process.output, errors: process.errors)
    }

    @Test(
        "`start --enable` hands the folder over to systemd, `stop --disable` undoes it, and where none runs all stays")
    func enabled() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("My Notes", options: ["--device", "laptop"])
        let said = world.place.appending(path: "said")
        func run(_ words: String..., systemd: String) async throws -> RealProgram.Outcome {
            try await Self.run(words, in: world, systemd: systemd)
        }

        // Its daemon is systemd's from now on.
        #expect(try await RealProgram.run("start", folder.path).status == 0)
        let works = "echo \"$@\" >>'\(said.path)'"
        let started = try await run("start", "--enable", folder.path, systemd: works)
        #expect(started.status == 0 && started.output.contains("systemd syncs \(folder.path)"), "\(started)")
        #expect(try await RealProgram.run("status", folder.path).status == 5)
        let stopped = try await run("stop", "--disable", folder.path, systemd: works)
        #expect(stopped.status == 0 && stopped.output.contains("not start at the next login"), "\(stopped)")
        let unit = Self.unit(of: folder)
        #expect(
            try String(contentsOf: said, encoding: .utf8) == """
                --user enable --now \(unit)
                --user disable --now \(unit)

                """)

        // A person's daemon goes on where systemd does not.
        #expect(try await RealProgram.run("start", folder.path).status == 0)
        let failed = try await run(
            "start", "--enable", folder.path, systemd: "echo 'Failed to connect to bus' >&2; exit 1")
        #expect(failed.status == 1 && failed.output.isEmpty)
        #expect(failed.errors.contains("Failed to connect to bus. Without systemd"), "\(failed.errors)")
        #expect(try await folder.settledVerdict() == "in-sync")
        #expect(try await RealProgram.run("stop", folder.path).status == 0)
    }

    private static func unit(of folder: RealFolder) -> String {
        let name = folder.path.dropFirst().replacing("-", with: #"\x2d"#).replacing("/", with: "-")
            .replacing(" ", with: #"\x20"#)
        return "zonefolder@\(name).service"
    }

    @Test("A daemon that systemd runs makes room and comes back as the unit's; `remove` takes it from the unit")
    func unit() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("notes")
        let (said, process) = (world.place.appending(path: "said"), world.place.appending(path: "process"))
        // Of the user's manager alone, as one does: it knows its process, ends it, and starts another one.
        let systemd = """
            echo "$@" >>'\(said.path)'
            [ "$1" = --user ] || { echo 0; exit; }
            case "$2" in
                show) cat '\(process.path)' ;;
                start) '\(RealProgram.executable.path)' run '\(folder.path)' >'\(world.place.path)/log' 2>&1 & echo $! >'\(process.path)' ;;
                *) read number <'\(process.path)'; [ "$number" = 0 ] || kill "$number"; echo 0 >'\(process.path)' ;;
            esac
            """
        func lines() throws -> [String] {
            let text = try String(contentsOf: said, encoding: .utf8)
            try FileManager.default.removeItem(at: said)
            return text.split(separator: "\n").map(String.init)
        }
        func number() throws -> String {
            try String(contentsOf: process, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        defer { if let left = (try? number()).flatMap({ pid_t($0) }), left > 0 { kill(left, SIGKILL) } }
        let unit = Self.unit(of: folder)
        let daemon = try folder.run()
        try "\(daemon.pid)\n".write(to: process, atomically: true, encoding: .utf8)
        try await folder.untilDaemonAnswers(daemon)
        #expect(try await folder.settledVerdict() == "in-sync")

        let name = world.url.replacing("127.0.0.1", with: "localhost")
        let renamed = try await Self.run(["config", "set", "server", name, folder.path], in: world, systemd: systemd)
        #expect(renamed.status == 0, "\(renamed)")
        var now = try number()
        #expect(renamed.output.contains("Process \(now) goes by it"), "\(renamed)")
        #expect(try lines() == ["show --property=MainPID --value", "stop", "start"].map { "--user \($0) \(unit)" })
        #expect(try await daemon.ended(within: .seconds(120)) == 0)
        let reset = try await Self.run(["reset", "--local", folder.path], in: world, systemd: systemd)
        #expect(reset.status == 0, "\(reset)")
        now = try number()
        #expect(reset.output.contains("Process \(now) looks"), "\(reset)")
        #expect(try lines().dropFirst() == ["--user stop \(unit)", "--user start \(unit)"])
        #expect(try await folder.settledVerdict() == "in-sync")

        // Where systemd does not do it, nothing is changed.
        let refused = try await Self.run(
            ["config", "set", "server", world.url, folder.path], in: world,
            systemd: "case $2 in show) cat '\(process.path)' ;; *) echo 'Access denied' >&2; exit 1 ;; esac")
        #expect(refused.status == 1 && refused.errors.contains("does not stop it: Access denied"), "\(refused)")
        #expect(try await RealProgram.run("config", "get", "server", folder.path).output == "\(name)\n")
        #expect(try await folder.settledVerdict() == "in-sync")

        let removed = try await Self.run(["remove", "--yes", folder.path], in: world, systemd: systemd)
        #expect(removed.status == 0, "\(removed)")
        #expect(try lines().contains("--user disable --now \(unit)"))
        #expect(try number() == "0")
    }

    @Test(
        "The supervisor is told that the daemon is ready, again and again that its engine answers, and of its end; one that reads nothing stops nobody"
    )
    func notices() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("notes")
        let name = world.place.appending(path: "notify").path
        let socket = try NoticeSocket(at: name)
        func run(limit microseconds: Int) throws -> RunningProgram {
            try RunningProgram(
                arguments: [
                    "NOTIFY_SOCKET=\(name)", "WATCHDOG_USEC=\(microseconds)", RealProgram.executable.path, "run",
                    folder.path,
                ],
                executable: URL(filePath: "/usr/bin/env"))
        }
        let process = try run(limit: 40_000)
        _ = try await eventually { socket.read().filter { $0 == "WATCHDOG=1" }.count > 3 }
        #expect(socket.read().filter { $0 == "READY=1" }.count == 1)
        // Its socket is full soon.
        #expect(try await folder.settledVerdict() == "in-sync")
        process.terminate()
        #expect(try await process.ended(within: .seconds(120)) == 0)

        socket.forget()
        let another = try run(limit: 600_000_000)
        #expect(try await eventually { socket.read().contains("READY=1") })
        another.terminate()
        #expect(try await eventually { socket.read().last == "STOPPING=1" })
        #expect(try await another.ended(within: .seconds(120)) == 0)
    }
}

/// Where a supervisor listens.
private final class NoticeSocket {
    private let descriptor: Int32
    private var notices: [String] = []

    init(at path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw TestFailure("no socket at \(path): errno \(errno)") }
    }

    deinit { close(descriptor) }

    /// All that was told so far, since what was forgotten.
    func read() -> [String] {
        var buffer = [UInt8](repeating: 0, count: 256)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
            notices.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
        return notices
    }

    func forget() {
        _ = read()
        notices = []
    }
}
