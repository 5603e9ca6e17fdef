import Foundation
import Testing

@Suite("Limits on what a folder uses of the line", .timeLimit(.minutes(30)))
struct LimitTests {
    @Test("Files come no sooner than [limits] let them, either way, and `config reload` lifts a limit")
    func limits() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        for direction in ["upload", "download"] {
            let set = try await RealProgram.run(
                "config", "set", "limits.\(direction)_bytes_per_second", "100000", laptop.path)
            #expect(set.status == 0, "\(set)")
        }
        let daemons = [try laptop.run(), try desk.run()]
        for (folder, daemon) in zip([laptop, desk], daemons) {
            try await folder.untilDaemonAnswers(daemon)
            #expect(try await folder.settledVerdict() == "in-sync")
        }

        // What a second brings may go at once after a rest; the other two seconds' bytes wait.
        for (name, sender, receiver) in [("up.txt", laptop, desk), ("down.txt", desk, laptop)] {
            let text = String(repeating: "of \(name)\n", count: 30_000)
            let began = ContinuousClock.now
            try sender.write(text, to: name)
            #expect(try await eventually { receiver.read(name) == text }, "\(name) did not come")
            let took = ContinuousClock.now - began
            #expect(took >= .seconds(2), "\(name) was there after \(took)")
        }

        // At this pace it would take more than a quarter of an hour.
        let set = try await RealProgram.run("config", "set", "limits.upload_bytes_per_second", "10000", laptop.path)
        #expect(set.status == 0, "\(set)")
        let text = String(repeating: "large one\n", count: 1_000_000)
        try laptop.write(text, to: "large.bin")
        let waiting = try await RealProgram.run("status", laptop.path, "--wait=5")
        #expect(waiting.status == 3 && desk.read("large.bin") == nil, "\(waiting)")
        try laptop.set("upload_bytes_per_second", to: "1000000000")
        let reload = try await RealProgram.run("config", "reload", laptop.path)
        #expect(reload.status == 0, "\(reload)")
        #expect(try await eventually { desk.read("large.bin") == text }, "large.bin did not come")
        #expect(try await laptop.settledVerdict() == "in-sync")
        // That it was broken off is no failure.
        let failed = try await laptop.events("export").filter { $0.contains(#""succeeded":false"#) }
        #expect(failed.isEmpty, "\(failed)")

        // Nor does an end wait for it.
        try laptop.set("upload_bytes_per_second", to: "10000")
        #expect(try await RealProgram.run("config", "reload", laptop.path).status == 0)
        try laptop.write(text + text, to: "larger.bin")
        #expect(try await RealProgram.run("status", laptop.path, "--wait=5").status == 3)
        for daemon in daemons { daemon.terminate() }
        for daemon in daemons { #expect(try await daemon.ended(within: .seconds(120)) == 0) }
    }
}
