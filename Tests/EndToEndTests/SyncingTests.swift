import Foundation
import Testing

@Suite("Two folders and a server", .timeLimit(.minutes(30)))
struct SyncingTests {
    @Test("Files, edits and deletions made in one folder come to be in the other (S1.2, S1.14)")
    func bothWays() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        try laptop.write(#"{"noteTitle": "Groceries", "urgent": true}"# + "\n", to: "Note/groceries.json")
        try laptop.write("any bytes\n", to: "folder with space/readme.txt")
        let daemons = try [laptop.run(), desk.run()]
        try await laptop.untilDaemonAnswers(daemons[0])
        try await desk.untilDaemonAnswers(daemons[1])

        #expect(try await eventually { try desk.files() == laptop.files() && desk.files().count == 2 })
        try desk.write(#"{"noteTitle": "Groceries, and tea", "urgent": true}"# + "\n", to: "Note/groceries.json")
        #expect(try await eventually { laptop.read("Note/groceries.json")?.contains("tea") == true })
        try laptop.delete("folder with space/readme.txt")
        #expect(try await eventually { desk.read("folder with space/readme.txt") == nil })

        #expect(try await laptop.settledVerdict() == "in-sync")
        #expect(try await desk.settledVerdict() == "in-sync")
        #expect(try laptop.files() == desk.files())
        for daemon in daemons {
            daemon.terminate()
            #expect(try await daemon.ended(within: .seconds(120)) == 0)
        }
    }

    @Test("A daemon that is killed goes on where it was (S0.21)")
    func killed() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        for number in 0..<200 { try laptop.write(#"{"number": \#(number)}"#, to: "Item/\(number).json") }
        var daemons = try [laptop.run(), desk.run()]
        #expect(try await eventually { try !desk.files().isEmpty })
        for daemon in daemons {
            daemon.kill()
            #expect(try await daemon.ended(within: .seconds(120)) == -9)
        }
        try laptop.write(#"{"number": 201}"#, to: "Item/later.json")
        daemons = try [laptop.run(), desk.run()]
        try await laptop.untilDaemonAnswers(daemons[0])
        try await desk.untilDaemonAnswers(daemons[1])
        #expect(try await eventually(within: .seconds(120)) { try desk.files().count == 201 })
        #expect(try await desk.settledVerdict() == "in-sync")
        #expect(try laptop.files() == desk.files())
    }

    @Test("One pass brings both sides together without a daemon (S4.1)")
    func onePass() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        try laptop.write(#"{"title": "one"}"#, to: "Note/one.json")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        let outcome = try await RealProgram.run("sync", desk.path, "--json")
        #expect(outcome.status == 0)
        #expect(try desk.verdict(in: outcome) == "in-sync")
        #expect(try desk.files() == laptop.files())
    }

    @Test("The daemon runs in the background, and status tells the truth before, during and after")
    func startAndStop() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        let before = try await RealProgram.run("status", folder.path, "--json")
        #expect(before.status == 5)
        #expect(try folder.verdict(in: before) == "unknown")
        #expect(try await RealProgram.run("stop", folder.path).status == 5)

        let start = try await RealProgram.run("start", folder.path)
        #expect(start.status == 0)
        #expect(try await RealProgram.run("start", folder.path).output.contains("already"))
        try folder.write("text", to: "a.txt")
        let during = try await RealProgram.run("status", "--wait", in: folder.path)
        #expect(during.status == 0)
        #expect(during.output.hasPrefix("in-sync: "))
        let events = try await RealProgram.run("events", folder.path, "--json")
        #expect(events.status == 0)
        #expect(events.output.contains(#""kind":"export""#))

        #expect(try await RealProgram.run("stop", folder.path).status == 0)
        let after = try await RealProgram.run("status", folder.path)
        #expect(after.status == 5)
        #expect(after.output.contains("zonefolder start"))
    }

    @Test("A file that cannot be synced is named with its line; the rest goes on; mended, it follows (S3.16)")
    func held() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        try laptop.write(#"{"a": 0}"#, to: "Note/broken.json")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        try laptop.write("{\n  \"a\": 1,\n  oops\n}\n", to: "Note/broken.json")
        try laptop.write(#"{"a": 1}"#, to: "Note/good.json")
        let outcome = try await RealProgram.run("sync", laptop.path)
        #expect(outcome.status == 4)
        #expect(outcome.output.contains("Note/broken.json") && outcome.output.contains("line 3"))
        #expect(try await RealProgram.run("sync", desk.path).status == 0)
        #expect(desk.read("Note/broken.json") == #"{"a": 0}"#)
        #expect(desk.read("Note/good.json") == #"{"a": 1}"#)
        try laptop.write(#"{"a": 2}"#, to: "Note/broken.json")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        #expect(try await RealProgram.run("sync", desk.path).status == 0)
        #expect(desk.read("Note/broken.json") == #"{"a": 2}"#)
    }

    @Test("What both changed is kept: the zone's value in the file, one's own in a copy that `conflicts` names")
    func conflict() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        try laptop.write(#"{"title": "one"}"#, to: "Note/one.json")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        #expect(try await RealProgram.run("sync", desk.path).status == 0)
        try laptop.write(#"{"title": "from laptop"}"#, to: "Note/one.json")
        try desk.write(#"{"title": "from desk"}"#, to: "Note/one.json")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        #expect(try await RealProgram.run("sync", desk.path).status == 4)
        #expect(desk.read("Note/one.json") == #"{"title": "from laptop"}"#)
        let conflicts = try await RealProgram.run("conflicts", desk.path)
        #expect(conflicts.status == 4)
        let copy = try #require(try desk.files().keys.first { $0.contains(".conflict-") })
        #expect(conflicts.output.contains(copy))
        #expect(desk.read(copy) == #"{"title": "from desk"}"#)
        try desk.delete(copy)
        #expect(try await RealProgram.run("sync", desk.path).status == 0)
    }

    @Test("A second daemon for the same folder is refused, and names the first")
    func twoDaemons() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        let first = try folder.run()
        try await folder.untilDaemonAnswers(first)
        let second = try folder.run()
        #expect(try await second.ended(within: .seconds(120)) == 1)
        #expect(second.errors.contains("\(first.pid)"))
    }
}
