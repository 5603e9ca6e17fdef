import Foundation
import Testing

@Suite("Setting up by invitation", .timeLimit(.minutes(30)))
struct InvitationTests {
    /// Runs the program as a user whose data home is a directory of the test's.
    private static func run(
        _ arguments: String..., dataHome: URL, input: String = ""
    ) async throws -> RealProgram.Outcome {
        let process = try RunningProgram(
            arguments: ["XDG_DATA_HOME=\(dataHome.path)", RealProgram.executable.path] + arguments, input: input,
            executable: URL(filePath: "/usr/bin/env"))
        let status = try await process.ended(within: .seconds(120))
        return RealProgram.Outcome(status: status ?? -1, output: process.output, errors: process.errors)
    }

    /// The only line that a command printed.
    private static func line(_ outcome: RealProgram.Outcome) throws -> String {
        let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(outcome.status == 0 && lines.count == 2, "\(outcome)")
        return String(lines[0])
    }

    @Test("From nothing to two folders in sync: a server, a link for each folder, no token typed")
    func threeCommands() async throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "zf-three-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        // 1
        let server = try RunningProgram(
            arguments: [
                "XDG_DATA_HOME=\(place.path)", RealProgram.executable.path, "serve", "--listen", "127.0.0.1:0",
            ], executable: URL(filePath: "/usr/bin/env"))
        let url = try await server.firstLine()
        #expect(try await eventually { server.errors.contains("zonefolder serve invite\nand") }, "\(server.errors)")

        let (laptop, desk) = (
            RealFolder(url: place.appending(path: "laptop")), RealFolder(url: place.appending(path: "desk"))
        )
        // 2
        let invited = try await Self.run("serve", "invite", "ada", dataHome: place)
        let link = try Self.line(invited)
        #expect(link.hasPrefix("\(url)/invite#"), "\(link)")
        #expect(invited.errors.contains("zonefolder init ~/Notes '\(link)' --start"), "\(invited.errors)")
        // 3
        let first = try await RealProgram.run("init", laptop.path, link, "--start", "--device", "laptop")
        #expect(first.status == 0, "\(first)")
        #expect(first.output.contains("is the zone 'Notes' of iCloud.zonefolder (development) now."), "\(first)")
        #expect(first.output.contains("syncs \(laptop.path)."))
        #expect(first.errors.contains("Signed in as ada") && first.errors.contains("zonefolder status"), "\(first)")

        // The same again for another device; this link comes through a pipe, and who is meant is clear by now.
        let second = try await RealProgram.run(
            "init", desk.path, "-", "--start", "--device", "desk",
            input: try Self.line(try await Self.run("serve", "invite", dataHome: place)) + "\n")
        #expect(second.status == 0, "\(second)")

        try laptop.write(#"{"text": "from the laptop"}"#, to: "Note/a.json")
        try desk.write("from the desk", to: "b.txt")
        let arrived = try await eventually {
            desk.read("Note/a.json") == #"{"text": "from the laptop"}"# && laptop.read("b.txt") == "from the desk"
        }
        #expect(arrived)
        for folder in [laptop, desk] {
            #expect(try await folder.settledVerdict() == "in-sync")
            #expect(try await RealProgram.run("stop", folder.path).status == 0)
        }
        #expect(try await Self.run("serve", "user", "list", dataHome: place).output.hasPrefix("ada"))
    }

    @Test("Who was signed out signs in again by another invitation, and goes on")
    func signedOut() async throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "zf-again-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        let server = try RunningProgram(
            arguments: [
                "XDG_DATA_HOME=\(place.path)", RealProgram.executable.path, "serve", "--listen", "127.0.0.1:0",
            ], executable: URL(filePath: "/usr/bin/env"))
        _ = try await server.firstLine()
        let laptop = RealFolder(url: place.appending(path: "laptop"))
        let first = try Self.line(try await Self.run("serve", "invite", "ada", dataHome: place))
        #expect(try await RealProgram.run("init", laptop.path, first).status == 0)
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        #expect(try await Self.run("serve", "user", "sign-out", "ada", dataHome: place).status == 0)
        try laptop.write("later", to: "b.txt")
        #expect(try await RealProgram.run("sync", laptop.path).status != 0)

        let again = try Self.line(try await Self.run("serve", "invite", "ada", dataHome: place))
        let elsewhere = try await RealProgram.run(
            "login", laptop.path, "--invitation", again.replacing("127.0.0.1", with: "localhost"))
        #expect(elsewhere.status == 2 && elsewhere.errors.contains("the link is still good"), "\(elsewhere)")
        let signedIn = try await RealProgram.run("login", laptop.path, "--invitation", "-", input: again + "\n")
        #expect(signedIn.status == 0 && signedIn.output.hasPrefix("Signed in as _"), "\(signedIn)")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        server.terminate()
        #expect(try await server.ended(within: .seconds(120)) == 0)
    }

    @Test("A folder that cannot be set up costs no link; a link that opens nothing leaves nothing behind")
    func failures() async throws {
        let world = try await RealWorld()
        let data = world.place.appending(path: "server").path
        func invite(_ options: String...) async throws -> String {
            try Self.line(
                try await RealProgram.run(
                    arguments: ["serve", "invite", "ada", "--data", data, "--container", RealWorld.container] + options)
            )
        }
        func initialize(_ name: String, _ words: String..., input: String = "") async throws -> RealProgram.Outcome {
            try await RealProgram.run(
                arguments: ["init", world.place.appending(path: name).path] + words, input: input)
        }
        func exists(_ name: String) -> Bool {
            FileManager.default.fileExists(atPath: world.place.appending(path: name).path)
        }
        let link = try await invite("--zone", "Work")
        try Data("a file".utf8).write(to: world.place.appending(path: "file"))
        let notAFolder = try await initialize("file", link)
        #expect(notAFolder.status == 1 && notAFolder.errors.contains("is not a folder"), "\(notAFolder)")
        let noParent = try await initialize("no/parent", link)
        #expect(noParent.status == 1 && noParent.errors.contains("Make the folder above it first"), "\(noParent)")
        let good = try await initialize("good", link)
        #expect(good.status == 0 && good.output.contains("zone 'Work'"), "\(good)")
        #expect(good.errors.contains("zonefolder start"))
        let unneeded = try await invite()
        let again = try await initialize("good", unneeded)
        #expect(again.status == 78 && again.errors.contains("is set up already"), "\(again)")
        #expect(try await initialize("other", "-", input: unneeded).status == 0, "that link was still good")

        let port = try #require(world.url.split(separator: ":").last)
        for (words, status, said) in [
            ([link], 78, "was used already"),
            (["\(world.url)/invite#AAAAAAAAAAAAAAAAAAAAAAAA"], 78, "is not known to \(world.url)"),
            (["http://127.0.0.1:1/invite#AAAAAAAAAAAAAAAAAAAAAAAA"], 1, "the link is still good"),
            (["http://192.0.2.1:\(port)/invite#AAAAAAAAAAAAAAAAAAAAAAAA"], 2, "--plain-http"),
            (["\(world.url)/invite"], 2, "is no invitation"), (["-"], 2, "Standard input"),
            ([link, "--container", RealWorld.container], 2, "--container goes without a link"),
        ] {
            let outcome = try await RealProgram.run(
                arguments: ["init", world.place.appending(path: "none").path] + words)
            #expect(outcome.status == status && outcome.errors.contains(said), "\(words): \(outcome)")
            #expect(outcome.output.isEmpty && !exists("none"), "\(words)")
            #expect(!outcome.errors.contains("AAAA"), "a secret is not repeated")
        }
        let swapped = try await RealProgram.run("init", link)
        #expect(swapped.status == 2 && swapped.errors.contains("The folder comes before the link"), "\(swapped)")
    }

    @Test("A web auth token that another folder goes on with is noticed at once, and nothing is left behind")
    func usedToken() async throws {
        let world = try await RealWorld()
        let account = try await world.addUser()
        func initialize(_ name: String) async throws -> RealProgram.Outcome {
            try await RealProgram.run(
                "init", world.place.appending(path: name).path, "--server", world.url, "--container",
                RealWorld.container, "--zone", "Notes", "--api-token", account.apiToken, "--web-auth-token-file", "-",
                input: account.webAuthToken + "\n")
        }
        #expect(try await initialize("first").status == 0)
        let second = try await initialize("second")
        #expect(second.status == 78 && second.errors.contains("was used already"), "\(second)")
        #expect(!FileManager.default.fileExists(atPath: world.place.appending(path: "second").path))
        #expect(try await RealProgram.run("sync", world.place.appending(path: "first").path).status == 0)
    }
}
