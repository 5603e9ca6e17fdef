import Foundation
import Testing

@Suite("A backup that is copied over a folder while its daemon runs", .timeLimit(.minutes(10)))
struct ReplacedStateTests {
    @Test("The daemon goes on with the state that is there now, so that what it stores is read")
    func backup() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        for number in 0..<5 { try laptop.write("text \(number)", to: "\(number).txt") }
        #expect(try await RealProgram.run("start", laptop.path).status == 0)
        #expect(try await laptop.settledVerdict() == "in-sync")
        // A copy as of a moment at which nothing is on its way.
        let state = laptop.url.appending(path: ".zonefolder")
        let backup = laptop.url.deletingLastPathComponent().appending(path: "backup")
        try FileManager.default.createDirectory(at: backup, withIntermediateDirectories: true)
        let names = ["state.sqlite", "state.sqlite-wal"].filter {
            FileManager.default.fileExists(atPath: state.appending(path: $0).path)
        }
        for name in names {
            try FileManager.default.copyItem(at: state.appending(path: name), to: backup.appending(path: name))
        }
        try laptop.write("later", to: "later.txt")
        #expect(try await laptop.settledVerdict() == "in-sync")

        for name in names {
            // As rsync does it: in one step.
            #expect(rename(backup.appending(path: name).path, state.appending(path: name).path) == 0)
        }
        try? FileManager.default.removeItem(at: state.appending(path: "state.sqlite-shm"))
        try laptop.write("after", to: "after.txt")
        #expect(try await laptop.settledVerdict() == "in-sync")
        let events = try await RealProgram.run("events", laptop.path)
        #expect(events.output.contains("after.txt"), "\(events)")
        #expect(try await RealProgram.run("stop", laptop.path).status == 0)
        #expect(try await RealProgram.run("start", laptop.path).status == 0)
        #expect(try await laptop.settledVerdict() == "in-sync")
        #expect(try laptop.copies().isEmpty)
        #expect(laptop.read("later.txt") == "later" && laptop.read("after.txt") == "after")
        #expect(try await RealProgram.run("stop", laptop.path).status == 0)
    }
}
