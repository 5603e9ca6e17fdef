import FolderControl
import Foundation
import StateRows
import StateStorage
import SyncTiming
import Testing

@testable import SyncEngine

@Suite("A person's pause", .timeLimit(.minutes(30)))
struct PauseTests {
    @Test("Nothing goes either way, what waits is counted, and all of it goes on afterwards")
    func holds() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("1", to: "a.txt")
            try laptop.write("1", to: "b.txt")
            try await converge(laptop, desk)

            let outcome = try await laptop.session.pause(for: nil)
            #expect(outcome.isAtRest && outcome.untilMilliseconds == nil)
            _ = laptop.network.takeOperations()
            try laptop.write("2", to: "a.txt")
            try laptop.write("new", to: "c.txt")
            try desk.write("2", to: "b.txt")
            try await desk.sync()
            await laptop.look()
            laptop.pass(.seconds(3600))
            await laptop.look()
            #expect(laptop.network.takeOperations().isEmpty)
            #expect(laptop.read("b.txt") == "1")
            let report = try await laptop.report()
            #expect(report.verdict == .paused && report.pending.uploads == 2)
            #expect(report.pause?.sinceMilliseconds == outcome.sinceMilliseconds)
            #expect(report.reason.contains("zonefolder resume"))

            #expect(try await laptop.session.resume())
            #expect(try await laptop.session.resume() == false)
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["a.txt": "2", "b.txt": "2", "c.txt": "new"])
        }
    }

    @Test("It outlives the daemon; one with an end is over after it, also where no daemon ran meanwhile")
    func restarts() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try await laptop.sync()
            _ = try await laptop.session.pause(for: .seconds(3600))
            try laptop.restart()
            try laptop.write("1", to: "a.txt")
            await laptop.look()
            #expect(try await laptop.report().verdict == .paused)
            let wait = try #require(await laptop.session.timeUntilNextWork())
            #expect(wait <= .seconds(3600))

            // The hour goes by while nobody runs.
            let now = SessionClock.system.milliseconds
            try laptop.store.updateFacts {
                $0.pause = FolderPause(sinceMilliseconds: now - 3_600_000, untilMilliseconds: now - 1)
            }
            try laptop.restart()
            #expect(try await laptop.report().verdict != .paused)
            try await laptop.sync()
            #expect(try laptop.store.facts().pause == nil)
            try await expectInSync(laptop, with: ["a.txt": "1"])
        }
    }
}
