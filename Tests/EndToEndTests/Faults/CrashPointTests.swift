import Foundation
import Testing

/// SIGKILL at every call that changes the disk, with a fault injector of our own in the real processes.
///
/// Without more, some dozens of the points are tried; `ZONEFOLDER_CRASH_POINTS=all` tries every call.
@Suite("Killed at every step", .timeLimit(.minutes(60)))
struct CrashPointTests {
    @Test(
        "An agent that receives, killed at every step: old or new, nothing lost, nothing sent back (invariants 1 to 6)")
    func receiving() async throws {
        let tally = try await CrashTally.collect { worker in
            var tally = CrashTally()
            var crash = try await CrashWorld()
            try await crash.change()
            try await crash.laptop.sync()
            try await crash.desk.pass(with: FaultInjection(below: crash.desk.url, log: crash.log))
            for point in try crash.points(below: crash.desk.url, worker: worker, count: 40) {
                let round = try await crash.receive(point.act, at: point.number)
                tally.add(point, wasKilled: round.ending.status == -9, round.violations)
            }
            return tally
        }
        report(tally)
    }

    @Test("An agent that sends, killed at every step: all arrives, once, and nothing comes back as a conflict")
    func sending() async throws {
        report(try await sending(deletions: false, count: 20))
    }

    /// Each pass waits three seconds, as a deletion does that an editor may take back.
    @Test("An agent that sends deletions as well, killed at every step: they arrive, and nothing comes back")
    func sendingDeletions() async throws {
        report(try await sending(deletions: true, count: 8))
    }

    private func sending(deletions: Bool, count: Int) async throws -> CrashTally {
        try await CrashTally.collect { worker in
            var tally = CrashTally()
            var crash = try await CrashWorld()
            try await crash.change(deletingHere: deletions)
            try await crash.laptop.pass(with: FaultInjection(below: crash.laptop.url, log: crash.log))
            for point in try crash.points(below: crash.laptop.url, worker: worker, count: count) {
                try await crash.change(deletingHere: deletions)
                let ending = try await crash.laptop.pass(
                    with: FaultInjection(below: crash.laptop.url, point: (point.number, point.act)))
                var found = try StateHonesty.violations(crash.laptop, against: crash.world)
                found += try await crash.settle()
                tally.add(point, wasKilled: ending.status == -9, found)
            }
            return tally
        }
    }

    @Test("A server that is written to, killed at every step: what it answered is there, and all else arrives, once")
    func serving() async throws {
        let tally = try await CrashTally.collect { worker in
            var tally = CrashTally()
            var crash = try await CrashWorld()
            let data = crash.world.place.appending(path: "server")
            _ = try await crash.send(through: FaultInjection(below: data, log: crash.log))
            for point in try crash.points(below: data, worker: worker, count: 20) {
                let wasKilled = try await crash.send(
                    through: FaultInjection(below: data, point: (point.number, point.act)))
                tally.add(point, wasKilled: wasKilled, try await crash.settle())
            }
            return tally
        }
        report(tally)
    }

    @Test("Both sides changed, killed at every step: all that both saved is current, merged or in one conflict copy")
    func both() async throws {
        let tally = try await CrashTally.collect { worker in
            var tally = CrashTally()
            var crash = try await CrashWorld()
            var rivals = try Rivals(crash.laptop, crash.desk)
            try await crash.syncAll()
            try await crash.laptop.sync()
            try await crash.change()
            try rivals.change()
            try await crash.laptop.sync()
            try await crash.desk.pass(with: FaultInjection(below: crash.desk.url, log: crash.log))
            try rivals.forgetCopies()
            for point in try crash.points(below: crash.desk.url, worker: worker, count: 20) {
                try await crash.change()
                try rivals.change()
                try await crash.laptop.sync()
                let before = try crash.desk.contents()
                let ending = try await crash.desk.pass(
                    with: FaultInjection(below: crash.desk.url, point: (point.number, point.act)))
                var found = try CrashCheck.lost(from: before, in: crash.desk)
                found += try StateHonesty.violations(crash.desk, against: crash.world)
                for folder in [crash.desk, crash.laptop, crash.desk] { try await folder.pass() }
                found += try CrashCheck.lost(from: before, in: crash.desk)
                found += try StateHonesty.violations(crash.desk, against: crash.world)
                found += try rivals.violations(and: crash.workload.expected)
                tally.add(point, wasKilled: ending.status == -9, found)
                try rivals.forgetCopies()
                try crash.forgetHistory()
            }
            return tally
        }
        report(tally)
    }

    /// A check that nothing can break proves nothing.
    @Test(
        "On a disk that lies, the checks find something",
        arguments: ["write /.zonefolder/staging/", "renameat2 /files/same.txt"])
    func checks(step: String) async throws {
        var crash = try await CrashWorld()
        let round = try await crash.receive(.lose, of: step)
        #expect(!round.violations.isEmpty, "\(step) was done in vain, and nothing was found")
    }

    private func report(_ tally: CrashTally, _ name: String = #function) {
        print("\(name): \(tally)")
        #expect(tally.violations == [])
        #expect(tally.killed * 10 >= tally.tried * 9, "too few of them were killed at all")
    }
}
