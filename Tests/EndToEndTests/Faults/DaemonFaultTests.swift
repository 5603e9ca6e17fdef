import Foundation
import Testing

@Suite("A daemon in trouble", .timeLimit(.minutes(30)))
struct DaemonFaultTests {
    @Test("Stopped for a while and continued: what both sides did meanwhile arrives, and nothing is lost")
    func frozen() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = try await world.pair(files: 10)
        let daemon = try desk.run()
        try await desk.untilDaemonAnswers(daemon)
        #expect(try await desk.settledVerdict() == "in-sync")
        daemon.freeze()
        try laptop.write("second\n", to: "f0.txt")
        try laptop.delete("f1.txt")
        try await laptop.sync()
        try desk.write("second\n", to: "f2.txt")
        try desk.delete("f3.txt")
        let silent = try await RealProgram.run("status", desk.path)
        #expect(silent.status == 1 && silent.errors.contains("does not answer"), "\(silent)")
        let stopped = try await RealProgram.run("stop", "--timeout", "1", desk.path)
        #expect(stopped.status == 1 && stopped.errors.contains("SIGSTOP"), "\(stopped)")
        daemon.thaw()
        #expect(try await eventually { desk.read("f0.txt") == "second\n" && desk.read("f1.txt") == nil })
        #expect(try await desk.settledVerdict() == "in-sync")
        try await laptop.sync()
        #expect(try laptop.contents() == desk.contents())
        #expect(try laptop.contents().count == 8)
        #expect(daemon.isRunning)
    }

    @Test("A server that falls silent: never in sync meanwhile, and it goes on by itself")
    func silent() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = try await world.pair(files: 10)
        let daemon = try desk.run()
        try await desk.untilDaemonAnswers(daemon)
        #expect(try await desk.settledVerdict() == "in-sync")
        world.freezeServer()
        try desk.write("second\n", to: "f0.txt")
        for _ in 0..<20 { #expect(try await desk.report().verdict != "in-sync") }
        world.thawServer()
        #expect(try await desk.settledVerdict() == "in-sync")
        try await laptop.sync()
        #expect(laptop.read("f0.txt") == "second\n")
        #expect(daemon.isRunning)
    }

    @Test("A second daemon on the folder is refused, and names the first, which goes on")
    func second() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = try await world.pair(files: 3)
        let daemon = try desk.run()
        try await desk.untilDaemonAnswers(daemon)
        let second = try await RealProgram.run("run", desk.path)
        #expect(second.status == 1 && second.errors.contains("\(daemon.pid)"), "\(second)")
        try desk.write("second\n", to: "f0.txt")
        #expect(try await desk.settledVerdict() == "in-sync")
        try await laptop.sync()
        #expect(laptop.read("f0.txt") == "second\n")
        #expect(daemon.isRunning)
    }

    @Test(
        "The folder was copied with its state, and both copies are synced: all three come to the same, nothing is lost")
    func cloned() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = try await world.pair(files: 10)
        let clone = RealFolder(url: world.place.appending(path: "clone"))
        try FileManager.default.copyItem(at: desk.url, to: clone.url)
        let daemons = try [desk.run(), clone.run()]
        try await desk.untilDaemonAnswers(daemons[0])
        try await clone.untilDaemonAnswers(daemons[1])
        try desk.write("from the desk\n", to: "f0.txt")
        try clone.write("from the clone\n", to: "f1.txt")
        try laptop.write("from the laptop\n", to: "f2.txt")
        try clone.delete("f3.txt")
        for _ in 0..<2 {
            try await laptop.sync()
            #expect(try await desk.settledVerdict() == "in-sync")
            #expect(try await clone.settledVerdict() == "in-sync")
        }
        try await laptop.sync()
        let expected = try laptop.contents()
        #expect(expected.count == 9)
        #expect(laptop.read("f0.txt") == "from the desk\n" && laptop.read("f1.txt") == "from the clone\n")
        #expect(try desk.contents() == expected)
        #expect(try clone.contents() == expected)
        for daemon in daemons { #expect(daemon.isRunning) }
    }

    @Test("The clock jumps an hour back and ten days ahead: edits of both sides go on, and nothing is lost")
    func clock() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = try await world.pair(files: 10)
        let step = try SharedNumber<Int64>(in: world.place)
        let daemon = try RunningProgram(
            arguments: ["run", desk.path], with: FaultInjection(below: desk.url, clock: step.file))
        try await desk.untilDaemonAnswers(daemon)
        for (round, hours) in [0, -1, 240, 0].enumerated() {
            try step.set(Int64(hours) * 3_600_000_000_000)
            try laptop.write("laptop \(round)\n", to: "f0.txt")
            try await laptop.sync()
            try desk.write("desk \(round)\n", to: "f1.txt")
            try desk.write("desk \(round)\n", to: "new-\(round).txt")
            #expect(try await eventually { desk.read("f0.txt") == "laptop \(round)\n" })
            #expect(try await desk.settledVerdict() == "in-sync")
            try await laptop.sync()
            #expect(try laptop.contents() == desk.contents())
            #expect(laptop.read("f1.txt") == "desk \(round)\n")
        }
        // What was replaced is in the history, whatever the clock said then.
        let kept = Set(try desk.history().map { String(decoding: $0.bytes, as: UTF8.self) })
        #expect(kept.isSuperset(of: ["first 0\n", "laptop 0\n", "laptop 1\n", "laptop 2\n"]), "\(kept)")
        #expect(daemon.isRunning)
    }
}
