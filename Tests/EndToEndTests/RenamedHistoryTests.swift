import Foundation
import Testing

@Suite("A note that was renamed while nothing is sent", .timeLimit(.minutes(10)))
struct RenamedHistoryTests {
    @Test("It is no deletion: history names none, and --deleted-since brings no second one back")
    func renamed() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let note = #"{"title": "x"}"#
        for number in 1...3 { try laptop.write(note, to: "Note/a/\(number).json") }
        let daemon = try laptop.run()
        try await laptop.untilDaemonAnswers(daemon)
        #expect(try await laptop.settledVerdict() == "in-sync")
        #expect(try await RealProgram.run("pause", laptop.path).status == 0)
        try FileManager.default.moveItem(
            at: laptop.url.appending(path: "Note/a"), to: laptop.url.appending(path: "Note/b"))
        #expect(try await laptop.settledVerdict() == "paused")
        let history = try await RealProgram.run("history", laptop.path)
        #expect(!history.output.contains("deleted here"), "\(history)")
        let restore = try await RealProgram.run("restore", laptop.path, "--deleted-since", "10m")
        #expect(restore.status == 1 && restore.output.isEmpty, "\(restore)")
        try laptop.write(#"{"title": "y"}"#, to: "Note/b/1.json")
        #expect(try await laptop.settledVerdict() == "paused")
        let edited = try await RealProgram.run("restore", laptop.path + "/Note/b/1.json")
        #expect(edited.output.hasPrefix("Note/b/1.json is back"), "\(edited)")
        #expect(laptop.read("Note/b/1.json") == note)
    }

    @Test("A copy to below a link to nowhere is refused with the link's name")
    func nowhere() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        try laptop.write("p", to: "p.txt")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        try laptop.delete("p.txt")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        let link = world.place.appending(path: "usb").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/nowhere/disk")
        let outcome = try await RealProgram.run("restore", laptop.path + "/p.txt", "--to", link + "/old")
        #expect(outcome.status == 1 && outcome.errors.contains("\(link) is a link to what is not there"), "\(outcome)")
    }
}
