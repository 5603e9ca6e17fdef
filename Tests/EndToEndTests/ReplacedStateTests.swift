import Foundation
import Testing

@Suite("A backup that is copied over a folder while its daemon runs", .timeLimit(.minutes(10)))
struct ReplacedStateTests {
    /// - Parameters:
    ///   - isOfRunning: Whether the backup was made while a daemon ran: then it has a log, which is not folded in.
    ///   - isInPlace: Whether the files are written into, as cp does it, or get the place of the others, as with rsync.
    @Test(
        "The daemon goes on with the state that is there now, so that what it stores is read",
        arguments: [true, false], [true, false])
    func backup(isOfRunning: Bool, isInPlace: Bool) async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        for number in 0..<5 { try laptop.write("text \(number)", to: "\(number).txt") }
        #expect(try await RealProgram.run("start", laptop.path).status == 0)
        #expect(try await laptop.settledVerdict() == "in-sync")
        if !isOfRunning { #expect(try await RealProgram.run("stop", laptop.path).status == 0) }
        // A copy as of a moment at which nothing is on its way.
        let state = laptop.url.appending(path: ".zonefolder")
        let backup = laptop.url.deletingLastPathComponent().appending(path: "backup")
        try FileManager.default.createDirectory(at: backup, withIntermediateDirectories: true)
        let names = ["state.sqlite", "state.sqlite-wal"].filter {
            FileManager.default.fileExists(atPath: state.appending(path: $0).path)
        }
        #expect(names.count == (isOfRunning ? 2 : 1))
        for name in names {
            try FileManager.default.copyItem(at: state.appending(path: name), to: backup.appending(path: name))
        }
        if !isOfRunning { #expect(try await RealProgram.run("start", laptop.path).status == 0) }
        try laptop.write("later", to: "later.txt")
        #expect(try await laptop.settledVerdict() == "in-sync")

        for name in names {
            let (old, new) = (state.appending(path: name), backup.appending(path: name))
            if isInPlace {
                try Data(contentsOf: new).write(to: old)
            } else {
                #expect(rename(new.path, old.path) == 0)
            }
        }
        try laptop.write("after", to: "after.txt")
        // It is taken up once it has stood still for a while.
        let end = ContinuousClock.now + .seconds(120)
        while try await laptop.settledVerdict() != "in-sync" {
            try #require(ContinuousClock.now < end)
            try await Task.sleep(for: .milliseconds(200))
        }
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
