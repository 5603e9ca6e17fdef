import Foundation
import Testing

@Suite("A corrected server in config.toml", .timeLimit(.minutes(10)))
struct CorrectedServerTests {
    @Test("Another name of the same server: nobody is asked, and what was saved meanwhile goes on in both directions")
    func renamed() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        let other = try desk.run()
        try await desk.untilDaemonAnswers(other)
        try laptop.write("1", to: "a.txt")
        try laptop.write(#"{"n": 1}"#, to: "Note/n.json")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        #expect(try await eventually { try desk.files() == laptop.files() })

        try laptop.set("server", to: "\"\(world.url.replacing("127.0.0.1", with: "localhost"))\"")
        try laptop.write("2", to: "a.txt")
        try desk.write(#"{"n": 2}"#, to: "Note/n.json")
        #expect(try await desk.settledVerdict() == "in-sync")
        let daemon = try laptop.run()
        try await laptop.untilDaemonAnswers(daemon)
        let status = try await RealProgram.run("status", laptop.path, "--wait=60")
        #expect(status.status == 0, "\(status)")
        #expect(laptop.read("Note/n.json") == #"{"n": 2}"#)
        #expect(try await eventually { desk.read("a.txt") == "2" })
        #expect(try laptop.copies().isEmpty)
    }
}
