import Foundation
import Testing

/// `share` and `accept`, as two people use them.
@Suite("Sharing a zone from the command line", .timeLimit(.minutes(4)))
struct ShareCommandTests {
    @Test("A zone is shared with somebody, who accepts it and reads it; then it is shared no longer")
    func shareAndAccept() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("a")
        try folder.write(#"{"title": "One"}"#, to: "Note/one.json")
        #expect(try await RealProgram.run("sync", folder.path).status == 0)
        let bob = try await world.addUser("bob@example.com")
        let tokenFile = world.place.appending(path: "bob")
        try Data(bob.webAuthToken.utf8).write(to: tokenFile)
        func share(_ arguments: String...) async throws -> RealProgram.Outcome {
            try await RealProgram.run(arguments: ["share", "--folder", folder.path] + arguments)
        }
        func asBob(_ arguments: String...) async throws -> RealProgram.Outcome {
            try await RealProgram.run(
                arguments: arguments + [
                    "--container", RealWorld.container, "--server", world.url, "--api-token", bob.apiToken,
                    "--web-auth-token-file", tokenFile.path,
                ])
        }
        let none = try await share()
        #expect(none.status == 0 && none.errors.contains("is not shared"), "\(none)")
        let made = try await share("--invite", "bob@example.com", "--allow", "read-write")
        #expect(made.status == 0, "\(made)")
        #expect(made.output.contains("bob@example.com: reads and changes, has not accepted yet\n"), "\(made)")
        let guid = try #require(made.output.split(separator: "\n").last.map(String.init))
        #expect(made.errors.hasSuffix("zonefolder accept \(guid)\n"), "\(made)")
        let mistyped = try await share(
            "--invite", "bov@example.com", "--invite", "bob@example.com", "--allow", "read-write")
        #expect(mistyped.status == 0 && mistyped.errors.contains("has no user bov@example.com yet."), "\(mistyped)")
        #expect(!mistyped.errors.contains("has no user bob@example.com"), "\(mistyped)")
        #expect(try await share("--remove", "bov@example.com").status == 0)

        for permission in ["read-only", "none"] {
            let opened = try await share("--public", permission)
            #expect(
                opened.output.contains("bob@example.com: reads and changes, has not accepted yet\n"), "\(opened)")
        }

        let look = try await asBob("accept", "--look", guid)
        #expect(look.status == 0 && look.output.contains("the zone 'Notes', shared by"), "\(look)")
        #expect(try await asBob("zones", "--database", "shared").output.contains("Notes") == false)
        let accepted = try await asBob("accept", guid)
        #expect(accepted.output.contains("you: reads and changes"), "\(accepted)")
        #expect(accepted.errors.contains("zonefolder init FOLDER --database shared --zone Notes --owner _"))
        let owner = try #require(
            accepted.errors.split(whereSeparator: \.isWhitespace).map(String.init).first { $0.hasPrefix("_") })
        let read = try await asBob(
            "record", "get", "Note/one", "--database", "shared", "--zone", "Notes", "--owner", owner)
        #expect(read.status == 0 && read.output.contains("title: One"), "\(read)")

        let put = try await asBob(
            "record", "put", "Note/one", "--type", "Note", "title=By Bob", "--database", "shared", "--zone", "Notes",
            "--owner", owner)
        #expect(put.status == 0, "\(put)")
        #expect(try await RealProgram.run("sync", folder.path).status == 0)
        let events = try await RealProgram.run("events", folder.path)
        let words = events.output.split(separator: "\n").last.map(String.init) ?? ""
        #expect(words.contains("received") && words.contains("Note/one.json  (somebody else, _"), "\(events)")

        let stranger = try await share("--remove", "nobody@example.com")
        #expect(stranger.status == 1 && stranger.errors.contains("takes no part"), "\(stranger)")
        let stopped = try await share("--stop")
        #expect(stopped.status == 0 && stopped.errors.contains("shared no longer"), "\(stopped)")
        let gone = try await asBob(
            "record", "get", "Note/one", "--database", "shared", "--zone", "Notes", "--owner", owner)
        #expect(gone.status == 1 && gone.errors.contains("ZONE_NOT_FOUND"), "\(gone)")
        // The share is a record of the zone, and no file of the folder.
        #expect(try await RealProgram.run("sync", folder.path).status == 0)
        #expect(folder.read("Note/one.json") != nil)
    }
}
