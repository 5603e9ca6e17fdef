import Foundation
import Testing

/// What a person meets who does things in the wrong order, with the wrong values, in the wrong place.
@Suite("A stranger's walk", .timeLimit(.minutes(30)))
struct WalkTests {
    @Test("A port that is taken is named, and the server ends with 1")
    func takenPort() async throws {
        let world = try await RealWorld()
        let port = world.url.split(separator: ":").last ?? ""
        let outcome = try await RealProgram.run(
            "serve", "--data", world.place.appending(path: "second").path, "--listen", "127.0.0.1:\(port)")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("127.0.0.1, port \(port)"))
        #expect(outcome.output.isEmpty)
    }

    @Test(
        "A user without a name, and a container that is none, are refused",
        arguments: [("", RealWorld.container, Int32(2)), ("ada", "com.example.notes", 78)])
    func user(name: String, container: String, status: Int32) async throws {
        let world = try await RealWorld()
        let outcome = try await RealProgram.run(
            "serve", "user", "add", name, "--data", world.place.appending(path: "server").path, "--container", container
        )
        #expect(outcome.status == status)
        #expect(outcome.output.isEmpty)
    }

    @Test("A folder in which another one is synced is refused: one file cannot belong to two zones")
    func outerFolder() async throws {
        let world = try await RealWorld()
        let inner = try await world.addFolder("outer-place")
        let outer = world.place.path
        let account = try await world.addUser()
        let outcome = try await RealProgram.run(
            "init", outer, "--server", world.url, "--container", RealWorld.container, "--zone", "Other", "--api-token",
            account.apiToken, "--web-auth-token-file", "-", input: account.webAuthToken + "\n")
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains(inner.path))
        #expect(!FileManager.default.fileExists(atPath: outer + "/.zonefolder"))
    }

    @Test("A command in a message can be pasted, also where the folder's path has a blank")
    func blanks() async throws {
        let world = try await RealWorld()
        let account = try await world.addUser()
        let folder = RealFolder(url: world.place.appending(path: "my notes, Ada's"))
        let made = try await RealProgram.run(
            "init", folder.path, "--server", world.url, "--container", RealWorld.container, "--zone", "Notes",
            "--api-token", account.apiToken, "--web-auth-token-file", "-", input: account.webAuthToken + "\n")
        #expect(made.status == 0)
        let outcome = try await RealProgram.run("status", folder.path)
        #expect(outcome.status == 5)
        let quoted = "'" + folder.path.replacing("'", with: #"'\''"#) + "'"
        #expect(outcome.output.contains("zonefolder start \(quoted)"))
    }

    @Test("Status of a path tells what is not there, what a rule leaves out, and what a symlink or no file is")
    func paths() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        try folder.write("text", to: "there.txt")
        try folder.write("backup", to: "there.txt~")
        try folder.write("text", to: "docs/deep/a.txt")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/empty/as well", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: "/etc/hostname")
        let daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        _ = try await folder.settledVerdict()
        let expected = [
            "there.txt": "is the same on both sides", "there.txt~": "an editor's backup",
            "nothing.txt": "Nothing is known of", "link": "is a symbolic link", "empty": "has no file in it",
            "docs": "is the same on both sides",
        ]
        for (name, text) in expected {
            let outcome = try await RealProgram.run("status", folder.path + "/" + name)
            let isKnown = outcome.status != 1
            #expect(isKnown == (name != "nothing.txt"), "\(name): \(outcome)")
            #expect((isKnown ? outcome.output : outcome.errors).contains(text), "\(name): \(outcome)")
        }
        daemon.terminate()
        #expect(try await daemon.ended(within: .seconds(120)) == 0)
    }

    @Test("A folder that is moved away under its daemon is not called in sync; moved back, it goes on (invariant 20)")
    func movedAway() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        try folder.write("text", to: "a.txt")
        let daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        #expect(try await folder.settledVerdict() == "in-sync")
        let away = world.place.appending(path: "away").path
        try FileManager.default.moveItem(atPath: folder.path, toPath: away)
        let outcome = try await RealProgram.run("status", away, "--json")
        #expect(outcome.status == 4, "\(outcome.output)")
        #expect(outcome.output.contains("was moved here from") && outcome.output.contains("zonefolder start"))
        try FileManager.default.moveItem(atPath: away, toPath: folder.path)
        try folder.write("later", to: "b.txt")
        #expect(try await folder.settledVerdict() == "in-sync")
        let desk = try await world.addFolder("desk")
        try await desk.sync()
        #expect(desk.read("b.txt") == "later" && desk.read("a.txt") == "text")
        daemon.terminate()
        #expect(try await daemon.ended(within: .seconds(120)) == 0)
    }

    @Test("After the daemon's end, status still tells when both sides were last asked")
    func afterwards() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        try folder.write("text", to: "a.txt")
        try await folder.sync()
        let outcome = try await RealProgram.run("status", folder.path)
        #expect(outcome.status == 5)
        #expect(!outcome.output.contains("never"))
    }

    @Test("A configuration at fault ends `start` with 78 and names the line; missing credentials name `login`")
    func configuration() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        let file = URL(filePath: folder.path + "/.zonefolder/config.toml")
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacing(#""Notes""#, with: "5").write(to: file, atomically: true, encoding: .utf8)
        let wrong = try await RealProgram.run("start", folder.path)
        #expect(wrong.status == 78)
        #expect(wrong.errors.contains("'zone' (line "))
        try text.write(to: file, atomically: true, encoding: .utf8)
        try FileManager.default.removeItem(atPath: folder.path + "/.zonefolder/credentials")
        let missing = try await RealProgram.run("start", folder.path)
        #expect(missing.status != 0)
        #expect(missing.errors.contains("zonefolder login"))
    }
}
