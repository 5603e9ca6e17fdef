import CloudKitServer
import CloudKitWire
import Foundation
import SeededRandomness
import Testing

@Suite("Killed while tokens rotate", .timeLimit(.minutes(30)))
struct TokenKillTests {
    @Test("Older tokens are refused at once, the daemon is killed again and again: it never has to sign in anew (S1.9)")
    func kills() async throws {
        let world = try await ObservedWorld { $0.store.webAuthTokenGrace = .zero }
        let folder = try await world.addFolder("notes")
        var random = SeededGenerator(seed: 7)
        for round in 0..<12 {
            for number in 0..<40 { try folder.write(#"{"round":\#(round)}"#, to: "Note/\(number).json") }
            let daemon = try folder.run()
            // From the first request of a start to many at once.
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...400, using: &random)))
            daemon.kill()
            #expect(try await daemon.ended(within: .seconds(120)) == -9)
        }
        let daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        #expect(try await folder.settledVerdict() == "in-sync")
        // The first request of a start has nothing but the token on the disk.
        #expect(!world.refused.contains("users/caller"), "\(world.refused)")
        let events = try await RealProgram.run("events", folder.path, "--json")
        #expect(events.status == 0 && !events.output.contains("noAccount"), "\(events.output)\(events.errors)")
        #expect(try world.records().living.count >= 40)
    }
}
