import Foundation
import Testing

@Suite("A full account", .timeLimit(.minutes(30)))
struct QuotaTests {
    @Test("Without quota deletions and fetches go on, what cannot be sent is named, and it goes up by itself later")
    func quota() async throws {
        let world = try await RealWorld(faults: true)
        let (laptop, desk) = try await world.pair(files: 10)
        let daemon = try desk.run()
        try await desk.untilDaemonAnswers(daemon)
        #expect(try await desk.settledVerdict() == "in-sync")
        try await world.fail(
            rules: #"""
                [{"match": {"operation": "assets/upload"}, "fault": {"kind": "refuse", "code": "QUOTA_EXCEEDED"}},
                 {"match": {"operation": "records/modify"}, "fault": {"kind": "recordError", "code": "QUOTA_EXCEEDED",
                    "recordName": "Note/new"}}]
                """#)
        try desk.write("second\n", to: "f0.txt")
        try desk.write("new\n", to: "new.txt")
        try desk.write(#"{"new": 1}"#, to: "Note/new.json")
        try desk.delete("f1.txt")
        let held = ["Note/new.json", "f0.txt", "new.txt"]
        var report = try await desk.report()
        for _ in 0..<1000 where report.held.map(\.path) != held { report = try await desk.report() }
        #expect(report.held.map(\.path) == held && report.verdict == "attention", "\(report)")
        #expect(report.held.allSatisfy { $0.code == "quotaExceeded" && !$0.remedy.isEmpty }, "\(report)")

        // Both directions go on: a deletion up, a change and a deletion down.
        #expect(try await eventually { try StateHonesty.living(in: world) == 9 })
        try await laptop.sync()
        #expect(laptop.read("f1.txt") == nil)
        try laptop.delete("f2.txt")
        try await world.stopFailing()
        try laptop.write("third\n", to: "f3.txt")
        try await laptop.sync()
        #expect(try await eventually { desk.read("f3.txt") == "third\n" && desk.read("f2.txt") == nil })

        #expect(try await eventually { try StateHonesty.living(in: world) == 10 })
        #expect(try await desk.settledVerdict() == "in-sync")
        try await laptop.sync()
        #expect(try laptop.contents() == desk.contents())
        #expect(laptop.read("new.txt") == "new\n" && laptop.read("f0.txt") == "second\n")
        #expect(daemon.isRunning)
    }
}
