import Foundation
import Testing

@Suite("Removing and resetting a folder", .timeLimit(.minutes(10)))
struct RemoveTests {
    @Test("Reset forgets and recognises, deletes a zone only by its name; remove takes the state away, and no file")
    func story() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        try laptop.write("1", to: "a.txt")
        #expect(try await RealProgram.run("start", laptop.path).status == 0)
        #expect(try await laptop.settledVerdict() == "in-sync")
        #expect(try await RealProgram.run("sync", desk.path).status == 0)

        // The state.
        let local = try await RealProgram.run("reset", "--local", laptop.path)
        #expect(local.status == 0 && local.output.contains("looks at both sides anew"), "\(local)")
        #expect(try await laptop.settledVerdict() == "in-sync")
        #expect(try laptop.files() == desk.files() && laptop.copies().isEmpty)

        // The zone.
        for arguments in [["--remote"], ["--remote", "--confirm", "notes"], ["--remote", "--local"], []] {
            let wrong = try await RealProgram.run(arguments: ["reset", laptop.path] + arguments)
            #expect(wrong.status == 2 && wrong.output.isEmpty && wrong.errors.contains("--"), "\(wrong)")
        }
        let remote = try await RealProgram.run("reset", "--remote", "--confirm", "Notes", laptop.path)
        #expect(remote.status == 0 && remote.output.contains("approve zone"), "\(remote)")
        #expect(try await laptop.settledVerdict() == "attention")
        #expect(try await RealProgram.run("sync", desk.path).status == 7)
        #expect(laptop.read("a.txt") == "1" && desk.read("a.txt") == "1")
        #expect(try await RealProgram.run("approve", "zone", laptop.path).status == 0)
        #expect(try await laptop.settledVerdict() == "in-sync")

        // The folder.
        #expect(try await RealProgram.run("stop", laptop.path).status == 0)
        try laptop.write("2", to: "b.txt")
        let asked = try await RealProgram.run("remove", laptop.path)
        #expect(asked.status == 3 && asked.errors.contains("1 upload waits") && asked.output.isEmpty, "\(asked)")
        #expect(try await RealProgram.run("start", laptop.path).status == 0)
        #expect(try await laptop.settledVerdict() == "in-sync")
        let removed = try await RealProgram.run("remove", laptop.path)
        #expect(removed.status == 0 && removed.output.contains("forgotten and signed out"), "\(removed)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: laptop.path).sorted() == ["a.txt", "b.txt"])
        #expect(try await RealProgram.run("status", laptop.path).status == 78)
    }

    @Test("Removing or stopping a folder that was moved away ends its daemon, also for when it is back; others go on")
    func movedAway() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        let away = laptop.url.deletingLastPathComponent().appending(path: "away")
        for command in ["stop", "remove"] {
            #expect(try await RealProgram.run("start", laptop.path, desk.path).status == 0)
            #expect(try await laptop.settledVerdict() == "in-sync")
            try FileManager.default.moveItem(at: laptop.url, to: away)
            let ended = try await RealProgram.run(command, laptop.path)
            #expect(ended.status == 0 && ended.output.hasPrefix("Process "), "\(ended)")
            let other = try await RealProgram.run("status", desk.path)
            #expect(command == "stop" ? other.status == 5 : other.status == 0 || other.status == 3, "\(other)")
            try FileManager.default.moveItem(at: away, to: laptop.url)
            #expect(try await RealProgram.run("status", laptop.path).status == 5)
        }
        #expect(try await RealProgram.run("stop", desk.path).status == 0)
    }
}
