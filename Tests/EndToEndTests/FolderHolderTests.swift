import Foundation
import Testing

@Suite("Whoever has a folder and answers nobody", .timeLimit(.minutes(10)))
struct FolderHolderTests {
    /// Somebody who has the folder for a while, as a daemon that was killed and is not yet gone, or a single pass.
    private static func hold(_ folder: RealFolder, seconds: String) async throws -> RunningProgram {
        let lock = folder.url.appending(path: ".zonefolder/lock")
        let holder = try RunningProgram(
            arguments: ["--exclusive", lock.path, "sh", "-c", "echo has it; exec sleep \(seconds)"],
            executable: URL(filePath: "/usr/bin/flock"))
        while !holder.output.contains("has it") { try await Task.sleep(for: .milliseconds(5)) }
        return holder
    }

    @Test("`start` and `sync` wait until it is gone, and then do what they were asked", arguments: ["start", "sync"])
    func goes(command: String) async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("notes")
        // Who had it last is written in the lock.
        #expect(try await RealProgram.run("start", folder.path).status == 0)
        #expect(try await RealProgram.run("stop", folder.path).status == 0)
        try folder.write("one", to: "a.txt")
        let holder = try await Self.hold(folder, seconds: "1.5")
        let outcome = try await RealProgram.run(command, folder.path)
        #expect(outcome.status == 0 && !outcome.output.contains("already"), "\(outcome)")
        #expect(try await holder.ended(within: .seconds(60)) == 0)
        if command == "start" {
            #expect(try await folder.settledVerdict() == "in-sync")
            #expect(try await RealProgram.run("stop", folder.path).status == 0)
        }
    }

    @Test("Where it stays, `start` says so and that nothing was started")
    func stays() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("notes")
        #expect(try await RealProgram.run("start", folder.path).status == 0)
        #expect(try await RealProgram.run("stop", folder.path).status == 0)
        let holder = try await Self.hold(folder, seconds: "20")
        defer { holder.kill() }
        let outcome = try await RealProgram.run("start", "--timeout", "1", folder.path)
        #expect(outcome.status != 0 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains("did not answer within 1 s, so nothing was started"), "\(outcome)")
    }
}
