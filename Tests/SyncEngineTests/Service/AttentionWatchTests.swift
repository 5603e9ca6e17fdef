import FolderControl
import StateStorage
import Testing

@testable import SyncService

@Suite("Telling somebody that a folder needs a person")
struct AttentionWatchTests {
    @Test("Each new thing is told once, at most once a minute; what was settled and comes again is told again")
    func table() {
        var watch = AttentionWatch()
        for (second, held, isTold) in [
            (0, [], false), (2, ["a.json"], true), (4, ["a.json"], false), (600, ["a.json"], false),
            (602, ["a.json", "b.json"], true), (604, ["b.json"], false), (606, ["b.json", "a.json"], false),
            (660, ["b.json", "a.json"], false), (662, ["b.json", "a.json"], true), (664, [], false),
            (800, ["a.json"], true),
        ] as [(Int, [String], Bool)] {
            let call = watch.call(for: report(held: held), at: .seconds(second))
            #expect((call != nil) == isTold, "at \(second): \(held)")
        }
    }

    @Test("What was told is not told again after a moment in which something moved or the server was away")
    func flapping() {
        var watch = AttentionWatch()
        var unwatched = report(held: [])
        unwatched.verdict = .degraded
        unwatched.watch = StatusReport.Watch(directories: 1, unwatched: 1)
        unwatched.account.status = "noAccount"
        #expect(watch.call(for: unwatched, at: .zero) != nil)
        for (number, verdict) in Verdict.allCases.filter({ $0 != .inSync }).enumerated() {
            var moving = unwatched
            moving.verdict = verdict
            moving.account.status = "unknown"
            if verdict == .unknown { moving.watch = nil }
            #expect(watch.call(for: moving, at: .seconds(1000 * number + 500)) == nil, "\(verdict)")
            #expect(watch.call(for: unwatched, at: .seconds(1000 * number + 1000)) == nil, "\(verdict)")
        }
        unwatched.account.status = "available"
        #expect(watch.call(for: unwatched, at: .seconds(10_000)) == nil)
        unwatched.account.status = "noAccount"
        #expect(watch.call(for: unwatched, at: .seconds(10_100)) != nil)
    }

    @Test("It says which folder, and why in a sentence; an approval and a sign-in are things as well")
    func words() {
        var watch = AttentionWatch()
        var waiting = report(held: [])
        waiting.verdict = .attention
        waiting.approval = StatusReport.Approval(batch: "k3", deletions: 40, side: "folder")
        #expect(
            watch.call(for: waiting, at: .zero)
                == AttentionCall(folder: "/home/ada/Notes", verdict: "attention", message: "Because."))
        waiting.account = StatusReport.Account(status: "noAccount", remedy: "Sign in.")
        #expect(watch.call(for: waiting, at: .seconds(60)) != nil)
    }

    private func report(held: [String]) -> StatusReport {
        StatusReport(
            verdict: held.isEmpty ? .inSync : .attention, reason: "Because.", folder: "/home/ada/Notes",
            server: "http://127.0.0.1", container: "iCloud.a", environment: "development", database: "private",
            zone: "Notes", account: StatusReport.Account(status: "available"), records: 0,
            pending: StatusReport.Pending(),
            held: held.map {
                StatusReport.Held(path: $0, code: "brokenJSON", message: "It is broken.", remedy: "Mend it.")
            },
            conflicts: [])
    }
}
