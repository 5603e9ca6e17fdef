import Foundation
import Testing

@Suite("Pausing a folder", .timeLimit(.minutes(10)))
struct PauseTests {
    @Test("A pause holds both ways through restarts, tells what waits, refuses a sync, and ends with everything there")
    func story() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        var daemon = try laptop.run()
        try await laptop.untilDaemonAnswers(daemon)
        #expect(try await laptop.settledVerdict() == "in-sync")

        let pause = try await RealProgram.run("pause", laptop.path, "--for", "1h")
        #expect(pause.status == 0 && pause.errors.isEmpty)
        #expect(pause.output.contains("is paused until ") && pause.output.contains("zonefolder resume"), "\(pause)")
        #expect(pause.output.contains("It is still watched."), "\(pause)")
        try laptop.write("laptop's", to: "a.txt")
        try desk.write("desk's", to: "b.txt")
        #expect(try await RealProgram.run("sync", desk.path).status == 0)
        let status = try await RealProgram.run("status", laptop.path, "--wait=20")
        #expect(status.status == 3 && status.output.hasPrefix("paused: "), "\(status)")
        #expect(status.output.contains("1 upload") && status.output.contains("→ zonefolder resume"), "\(status)")

        daemon.kill()
        _ = try await daemon.ended(within: .seconds(120))
        let stopped = try await RealProgram.run("status", laptop.path)
        #expect(stopped.status == 5 && stopped.output.hasPrefix("paused: "), "\(stopped)")
        let sync = try await RealProgram.run("sync", laptop.path)
        #expect(sync.status == 3 && sync.errors.contains("zonefolder resume") && sync.output.isEmpty, "\(sync)")
        daemon = try laptop.run()
        try await laptop.untilDaemonAnswers(daemon)
        #expect(try await laptop.settledVerdict() == "paused")
        #expect(laptop.read("b.txt") == nil)

        for time in ["soon", "5", "0s", ""] {
            let wrong = try await RealProgram.run("pause", laptop.path, "--for", time)
            #expect(wrong.status == 2 && wrong.errors.contains("90s, 30m, 1h"), "\(wrong)")
        }
        #expect(try await RealProgram.run("resume", laptop.path).output.contains("goes on"))
        #expect(try await laptop.settledVerdict() == "in-sync")
        #expect(laptop.read("b.txt") == "desk's")
        #expect(try await RealProgram.run("sync", desk.path).status == 0)
        #expect(desk.read("a.txt") == "laptop's")

        // Where no daemon runs, it is for the next one.
        #expect(try await RealProgram.run("pause", desk.path, "--json").output.contains("\"isAtRest\" : true"))
        let again = try await RealProgram.run("pause", desk.path)
        #expect(again.output.contains("No daemon watches it") && !again.output.contains("still watched"), "\(again)")
        #expect(try await RealProgram.run("sync", desk.path).status == 3)
        #expect(try await RealProgram.run("resume", desk.path, "--json").output.contains("\"wasPaused\" : true"))
        #expect(try await RealProgram.run("resume", desk.path).output.contains("was not paused"))
    }
}
