import Foundation
import Testing

/// How soon edits flow again after an outage, in both directions.
@Suite("Return after an outage (S0.32, S0.33)", .timeLimit(.minutes(30)))
struct ReturnTests {
    /// Waits for a text to come into a folder; gives the time that it took.
    private static func time(of text: String, as name: String, in folder: RealFolder) async throws -> Duration {
        let began = ContinuousClock.now
        guard try await eventually({ folder.read(name) == text }) else {
            throw TestFailure("\(name) does not come: \(try await folder.report())")
        }
        return ContinuousClock.now - began
    }

    @Test(
        "After a link was down for a minute, edits of both sides are there 2 s after it is up",
        .enabled(if: PoorLink.isPossible, "needs root, TUN devices, network namespaces and iproute2"))
    func link() async throws {
        let link = try await PoorLink(seed: 1)
        let world = try await RealWorld(host: link.here)
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        try laptop.write("first\n", to: "a.txt")
        let near = try laptop.run()
        let far = try link.start([RealProgram.executable.path, "run", desk.path])
        try await laptop.untilDaemonAnswers(near)
        try await desk.untilDaemonAnswers(far)
        #expect(try await eventually { desk.read("a.txt") == "first\n" }, "\(far.errors)")

        try await link.setLink(isUp: false)
        try desk.write("from here\n", to: "b.txt")
        try laptop.write("from there\n", to: "c.txt")
        #expect(try await eventually { try StateHonesty.living(in: world) == 2 })
        try await Task.sleep(for: .seconds(60))
        #expect(try await desk.report().verdict == "offline")
        #expect(laptop.read("b.txt") == nil && desk.read("c.txt") == nil)

        try await link.setLink(isUp: true)
        async let up = Self.time(of: "from here\n", as: "b.txt", in: laptop)
        async let down = Self.time(of: "from there\n", as: "c.txt", in: desk)
        let times = (try await up, try await down)
        print("after the link was up: sent in \(times.0), received in \(times.1)")
        #expect(max(times.0, times.1) <= .seconds(2))
        #expect(try await desk.report().network?.isReachable == true)
        #expect(near.isRunning && far.isRunning)
    }

    @Test(
        "After the server was stopped for 10 s, edits are there 6 s after it listens, and one held file hides nothing")
    func server() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        try laptop.write(#"{"a": 1}"#, to: "Note/a.json")
        let daemons = try [laptop.run(), desk.run()]
        try await laptop.untilDaemonAnswers(daemons[0])
        try await desk.untilDaemonAnswers(daemons[1])
        for folder in [laptop, desk] { #expect(try await folder.settledVerdict() == "in-sync") }
        try laptop.write(#"{"a": oops}"#, to: "Note/a.json")
        #expect(try await laptop.settledVerdict() == "attention")

        #expect(try await world.stopServer() == 0)
        let stopped = ContinuousClock.now
        try laptop.write("away\n", to: "b.txt")
        let waited = try await RealProgram.run("status", laptop.path, "--wait=4", "--json")
        #expect(waited.status == 3, "no proof, so nothing but that it is offline: \(waited.output)")
        #expect(try laptop.verdict(in: waited) == "offline" && ContinuousClock.now - stopped >= .seconds(4))
        let report = try await laptop.report()
        #expect(report.verdict == "attention" && report.reason.contains("The server cannot be reached either."))
        #expect(report.network?.isReachable == false && report.network?.sinceMilliseconds != nil)
        let text = try await RealProgram.run("status", laptop.path)
        #expect(text.status == 4 && text.output.contains("network    no answer for"), "\(text.output)")
        #expect(text.output.contains("→ tried again in"))

        let left = stopped + .seconds(10) - .now
        if left > .zero { try await Task.sleep(for: left) }
        try await world.startServer()
        let time = try await Self.time(of: "away\n", as: "b.txt", in: desk)
        print("after the server listened: \(time)")
        #expect(time <= .seconds(6))
        #expect(daemons[0].isRunning && daemons[1].isRunning)
    }

    @Test("Folders that were copied with their state each hear every push, the one that they were copied from too")
    func clones() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        for folder in [laptop, desk] { try folder.set("poll_seconds", to: "3600") }
        try laptop.write("first\n", to: "a.txt")
        var daemon = try laptop.run()
        try await laptop.untilDaemonAnswers(daemon)
        #expect(try await laptop.settledVerdict() == "in-sync")
        daemon.terminate()
        #expect(try await daemon.ended(within: .seconds(120)) == 0)
        let copies = try (1...5).map { number in
            let copy = RealFolder(url: world.place.appending(path: "copy\(number)"))
            try FileManager.default.copyItem(at: laptop.url, to: copy.url)
            return copy
        }
        let folders = [laptop] + copies
        daemon = try laptop.run()
        let others = try (copies + [desk]).map { try $0.run() }
        for (folder, daemon) in zip(folders + [desk], [daemon] + others) { try await folder.untilDaemonAnswers(daemon) }
        for folder in folders + [desk] { #expect(try await folder.settledVerdict() == "in-sync") }
        for round in 1...5 {
            try desk.write("round \(round)\n", to: "a.txt")
            let isThere = try await eventually(within: .seconds(60)) {
                folders.allSatisfy { $0.read("a.txt") == "round \(round)\n" }
            }
            #expect(isThere, "round \(round): \(folders.map { $0.read("a.txt") ?? "none" })")
        }
        withExtendedLifetime(others) {}
    }
}
