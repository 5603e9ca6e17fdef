import Foundation
import Testing

/// A failed or partial listing deletes nothing (reliability §2; nextcloud/desktop#1433, abraunegg/onedrive#2338).
@Suite("A listing that fails", .timeLimit(.minutes(30)))
struct ListingFaultTests {
    private static let count = 40

    @Test(
        "Answers of a gateway in place of a listing delete nothing, on neither side",
        arguments: [404, 500, 503, 504, 200])
    func gateway(status: Int) async throws {
        let world = try await RealWorld(faults: true)
        let (laptop, desk) = try await world.pair(files: Self.count)
        let daemon = try desk.run()
        try await desk.untilDaemonAnswers(daemon)
        #expect(try await desk.settledVerdict() == "in-sync")
        try await world.fail(
            rules: #"""
                {"match": {"operation": "changes/*"}, "fault": {"kind": "answer", "status": \#(status),
                    "body": "<html><body>Bad gateway</body></html>", "contentType": "text/html"}}
                """#)
        try desk.write("second\n", to: "f0.txt")
        for _ in 0..<3 {
            let outcome = try await RealProgram.run("status", desk.path, "--wait=2", "--json")
            #expect(try desk.verdict(in: outcome) != "in-sync")
        }
        #expect(try desk.contents().count == Self.count)
        #expect(try StateHonesty.living(in: world) == Self.count)
        try await world.stopFailing()
        try await check(world, laptop, desk, changed: "f0.txt")
        #expect(daemon.isRunning)
    }

    @Test("After the token expired, the listing breaks off half way, again and again: nothing is deleted")
    func half() async throws {
        let world = try await RealWorld(faults: true)
        let (laptop, desk) = try await world.pair(files: Self.count)
        let daemon = try desk.run()
        try await desk.untilDaemonAnswers(daemon)
        #expect(try await desk.settledVerdict() == "in-sync")
        try await world.fail(
            rules: #"""
                [{"match": {"operation": "changes/zone"}, "fault": {"kind": "expireTokens"}, "times": 1},
                 {"match": {"operation": "changes/zone"}, "fault": {"kind": "pageSize", "records": 15}},
                 {"match": {"operation": "changes/zone"}, "after": 2, "fault": {"kind": "answer", "status": 503,
                    "body": "", "contentType": "text/html"}}]
                """#)
        try laptop.write("second\n", to: "f0.txt")
        for _ in 0..<3 {
            let outcome = try await RealProgram.run("status", desk.path, "--wait=2", "--json")
            #expect(try desk.verdict(in: outcome) != "in-sync")
        }
        // It is killed half way, too: the next run must not take what it has for the whole.
        daemon.kill()
        _ = try await daemon.ended(within: .seconds(120))
        let again = try desk.run()
        try await desk.untilDaemonAnswers(again)
        let outcome = try await RealProgram.run("status", desk.path, "--wait=2", "--json")
        #expect(try desk.verdict(in: outcome) != "in-sync")
        #expect(try desk.contents().count == Self.count)
        #expect(try StateHonesty.living(in: world) == Self.count)
        try await world.stopFailing()
        try await check(world, laptop, desk, changed: "f0.txt")
        #expect(again.isRunning)
    }

    private func check(
        _ world: RealWorld, _ laptop: RealFolder, _ desk: RealFolder, changed name: String
    ) async throws {
        try await laptop.sync()
        #expect(try await desk.settledVerdict() == "in-sync")
        try await laptop.sync()
        #expect(laptop.read(name) == "second\n" && desk.read(name) == "second\n")
        #expect(try desk.contents() == laptop.contents())
        #expect(try desk.contents().count == Self.count)
        #expect(try StateHonesty.living(in: world) == Self.count)
    }
}
