import Foundation
import Glibc
import Testing

@Suite("Looking leaves no trace")
struct LookingTests {
    /// Every path below a directory, and itself: kind, mode, owner, inode, size, and when its bytes were changed.
    private func trace(_ top: String) async throws -> [String: String] {
        let find = try RunningProgram(
            arguments: [top, "-printf", "/%P\\t%y %m %U %i %s %T@\\n"], executable: URL(filePath: "/usr/bin/find"))
        guard try await find.ended(within: .seconds(60)) == 0 else { throw TestFailure(find.errors) }
        let lines = find.output.split(separator: "\n").map { $0.split(separator: "\t", maxSplits: 1) }
        return Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), String($0[1])) })
    }

    private func expectSame(_ before: [String: String], _ top: String, _ what: String) async throws {
        let after = try await trace(top)
        for name in Set(before.keys).union(after.keys) where before[name] != after[name] {
            Issue.record("\(what): \(name) was \(before[name] ?? "absent") and is \(after[name] ?? "absent")")
        }
    }

    private static let commands = [
        ["status"], ["status", "--json"], ["status", "--wait=1"], ["conflicts"], ["conflicts", "--json"], ["events"],
        ["events", "--json"], ["plan"], ["stop"], ["history"], ["history", "--json"],
    ]

    @Test("No command that looks makes or changes anything in a folder, whether its daemon was stopped or killed")
    func folder() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        try folder.write("text", to: "a.txt")
        for isKilled in [false, true] {
            let daemon = try folder.run()
            try await folder.untilDaemonAnswers(daemon)
            #expect(try await folder.settledVerdict() == "in-sync")
            if isKilled { daemon.kill() } else { daemon.terminate() }
            _ = try await daemon.ended(within: .seconds(60))
            // What looking would complete or take back, if it wrote.
            let state = folder.path + "/.zonefolder"
            rmdir(state + "/cookies")
            chmod(state, 0o755)
            chmod(state + "/credentials", 0o640)
            let before = try await trace(folder.path)
            for words in Self.commands {
                let outcome = try await RealProgram.run(arguments: words + [folder.path])
                #expect([0, 5].contains(outcome.status), "\(words): \(outcome.errors)")
                try await expectSame(before, folder.path, "\(words)")
            }
            let ofPath = try await RealProgram.run("status", folder.path + "/a.txt")
            #expect(ofPath.status == 5)
            try await expectSame(before, folder.path, "status of a path")
        }
    }

    @Test("A server's data stays as it is while it is looked at, and a name with a slip is an error that makes nothing")
    func server() async throws {
        let world = try await RealWorld()
        _ = try await world.addUser()
        let (data, typo) = (world.place.appending(path: "server").path, world.place.appending(path: "typo").path)
        let ofContainer = ["--container", RealWorld.container]
        let looks = [
            ["serve", "user", "list"] + ofContainer, ["serve", "user", "role", "ada"] + ofContainer,
            ["schema", "export"] + ofContainer, ["schema", "diff"] + ofContainer, ["serve", "check"],
        ]
        for isRunning in [true, false] {
            if !isRunning { _ = try await world.stopServer() }
            let before = try await trace(data)
            for words in looks {
                let outcome = try await RealProgram.run(arguments: words + ["--data", data])
                #expect([0, 3].contains(outcome.status), "\(words): \(outcome.errors)")
                try await expectSame(before, data, "\(words), running: \(isRunning)")
            }
        }
        let changes = [
            ["serve", "user", "password", "ada", "--password-file", "-"], ["serve", "user", "role", "ada", "editor"],
            ["serve", "user", "sign-out", "ada"], ["serve", "user", "remove", "ada", "--yes"], ["schema", "promote"],
        ]
        for words in looks + changes.map({ $0 + ofContainer }) {
            let outcome = try await RealProgram.run(
                arguments: words + ["--data", typo], input: "secret-secret\n")
            #expect(outcome.status == 1, "\(words): \(outcome.errors)")
            #expect(outcome.errors.contains(typo), "\(words): \(outcome.errors)")
            #expect(!FileManager.default.fileExists(atPath: typo), "\(words)")
        }
    }

    @Test(
        "Another user's folder is named as theirs: nobody else looks into it, and root looks and never writes",
        .enabled(if: getuid() == 0))
    func anotherUser() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        try folder.write("text", to: "a.txt")
        #expect(try await RealProgram.run("sync", folder.path).status == 0)
        let nobody: uid_t = 65_534
        for name in try await trace(folder.path).keys { lchown(folder.path + name, nobody, nobody) }
        let before = try await trace(folder.path)

        for words in [["status"], ["events"], ["conflicts"], ["plan"], ["sync"], ["run"], ["start"]] {
            let ordinary = try RunningProgram(
                arguments: [
                    "--bounding-set=-dac_override,-dac_read_search", RealProgram.executable.path,
                ] + words + [folder.path], executable: URL(filePath: "/usr/bin/setpriv"))
            #expect(try await ordinary.ended(within: .seconds(60)) == 1, "\(words): \(ordinary.errors)")
            #expect(ordinary.errors.contains("\(folder.path) is the folder of nobody"), "\(words): \(ordinary.errors)")
            #expect(ordinary.errors.contains("sudo -u nobody"))
        }
        for words in [["status"], ["events"], ["conflicts"]] {
            let outcome = try await RealProgram.run(arguments: words + [folder.path])
            #expect([0, 5].contains(outcome.status), "\(words): \(outcome.errors)")
            #expect(outcome.errors.contains("\(folder.path) is the folder of nobody."), "\(words): \(outcome.errors)")
        }
        for words in [["sync"], ["run"], ["start"], ["zones", "--folder"]] {
            let outcome = try await RealProgram.run(arguments: words + [folder.path])
            #expect(outcome.status == 1, "\(words): \(outcome.errors)")
            #expect(outcome.errors.contains("sudo -u nobody"), "\(words): \(outcome.errors)")
        }
        try await expectSame(before, folder.path, "root looked")
    }

    @Test(
        "A folder in a directory that nobody else may look into is not said to be missing", .enabled(if: getuid() == 0))
    func hidden() async throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "zf-hidden-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: place) }
        try FileManager.default.createDirectory(
            atPath: place + "/home/notes/.zonefolder", withIntermediateDirectories: true)
        chmod(place + "/home", 0o700)
        chown(place + "/home", 65_534, 65_534)
        let process = try RunningProgram(
            arguments: [
                "--bounding-set=-dac_override,-dac_read_search", RealProgram.executable.path, "status",
                place + "/home/notes",
            ], executable: URL(filePath: "/usr/bin/setpriv"))
        #expect(try await process.ended(within: .seconds(60)) == 1, "\(process.errors)")
        #expect(process.errors.contains("\(place)/home belongs to nobody"), "\(process.errors)")
    }
}
