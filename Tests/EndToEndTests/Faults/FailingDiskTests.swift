import Foundation
import Glibc
import Testing

/// Every call that changes the folder's disk fails for a while, as on a disk that was mounted read-only after an error.
@Suite("A disk that fails", .timeLimit(.minutes(30)))
struct FailingDiskTests {
    @Test(
        "While nothing can be written, status says so and all stays as it is; it goes on by itself, and nothing is lost",
        arguments: [EROFS, EIO, ENOSPC, EDQUOT, EACCES])
    func failing(error: Int32) async throws {
        let world = try await RealWorld()
        let (laptop, desk) = try await world.pair(files: 20)
        let failing = try SharedNumber<Int32>(in: world.place)
        let daemon = try RunningProgram(
            arguments: ["run", desk.path], with: FaultInjection(below: desk.url, failing: failing.file))
        try await desk.untilDaemonAnswers(daemon)
        #expect(try await desk.settledVerdict() == "in-sync")

        let before = try desk.contents()
        try failing.set(error)
        try laptop.write("second\n", to: "f0.txt")
        try laptop.write("new\n", to: "new.txt")
        try await laptop.sync()
        let mark = try StateHonesty.changes(of: world)
        var report = try await desk.report()
        for _ in 0..<1000 where report.verdict != "attention" { report = try await desk.report() }
        #expect(report.verdict == "attention", "\(report)")
        #expect(report.held.contains { !$0.remedy.isEmpty }, "\(report)")
        // A person's program still gets through, as it may with a disk that fails now and then.
        try desk.write("own\n", to: "own.txt")
        for _ in 0..<5 { #expect(try await desk.report().verdict != "in-sync") }
        #expect(try desk.contents().filter { $0.key != "own.txt" } == before)
        #expect(try StateHonesty.changes(of: world) == mark, "something came back")

        try failing.set(0)
        let isBack = try await eventually {
            desk.read("f0.txt") == "second\n" && desk.read("new.txt") == "new\n"
        }
        report = try await desk.report()
        #expect(isBack, "\(report) \(daemon.errors.suffix(2000))")
        #expect(try await desk.settledVerdict() == "in-sync")
        try await laptop.sync()
        #expect(laptop.read("own.txt") == "own\n")
        #expect(try laptop.contents() == desk.contents())
        #expect(daemon.isRunning)
    }

    @Test(
        "One call fails at every kind of step: the next pass makes it good, and nothing is lost",
        arguments: [EIO, ENOSPC])
    func once(error: Int32) async throws {
        let tally = try await CrashTally.collect { worker in
            var tally = CrashTally()
            var crash = try await CrashWorld()
            try await crash.change()
            try await crash.laptop.sync()
            try await crash.desk.pass(with: FaultInjection(below: crash.desk.url, log: crash.log))
            for var point in try crash.points(below: crash.desk.url, worker: worker, count: 12) where point.act == .kill
            {
                point.act = .fail(error)
                let round = try await crash.receive(point.act, at: point.number)
                tally.add(point, wasKilled: false, round.violations)
            }
            return tally
        }
        print("failing with \(error): \(tally)")
        #expect(tally.violations == [])
    }
}
