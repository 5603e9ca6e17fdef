import Foundation
import NetworkWatching
import Testing

@Suite("At rest", .timeLimit(.minutes(30)))
struct RestTests {
    @Test("A warm start changes nothing on the server, fetches no record and writes no file (S0.3, S3.18)")
    func warmStart() async throws {
        let world = try await RealWorld()
        let proxy = try await RecordingProxy(to: world.url)
        let folder = try await world.addFolder("laptop", server: proxy.url)
        for number in 0..<20 { try folder.write(#"{"number": \#(number)}"#, to: "Item/\(number).json") }
        try folder.write("bytes", to: "bytes.bin")
        let first = try folder.run()
        try await folder.untilDaemonAnswers(first)
        #expect(try await folder.settledVerdict() == "in-sync")
        // Once more: the database's token is past the folder's own changes only after a fetch that follows them.
        #expect(try await folder.settledVerdict() == "in-sync")
        #expect(proxy.exchanges.contains { $0.operation == "subscriptions/modify" })
        first.terminate()
        #expect(try await first.ended(within: .seconds(120)) == 0)
        let files = try folder.stamps(ofState: false)
        let state = try folder.stamps(ofState: true)
        let mark = proxy.mark

        let second = try folder.run()
        try await folder.untilDaemonAnswers(second)
        var verdict = ""
        for _ in 0..<500 where verdict != "in-sync" { verdict = try await folder.report().verdict }
        #expect(verdict == "in-sync")

        let said = proxy.exchanges(since: mark)
        #expect(said.contains { $0.isFetch })
        let others = said.filter { !$0.isFetch && !$0.isCourier && $0.operation != "users/caller" }
        #expect(others.isEmpty, "\(others)")
        for exchange in said where exchange.isFetch {
            let answer = String(decoding: exchange.answer ?? [], as: UTF8.self)
            #expect(!answer.contains("\"recordName\":\"Item"), "\(answer)")
        }
        #expect(try folder.stamps(ofState: false) == files)
        let now = try folder.stamps(ofState: true)
        #expect(now[".zonefolder/state.sqlite"] == state[".zonefolder/state.sqlite"])
        #expect(now[".zonefolder/state.sqlite-wal"]?.size ?? 0 == 0, "the state was written to")
        second.terminate()
        #expect(try await second.ended(within: .seconds(120)) == 0)
    }

    @Test("At rest there is the courier's request and the poll, no other one, and no write")
    func quiet() async throws {
        let world = try await RealWorld()
        let proxies = try await [RecordingProxy(to: world.url), RecordingProxy(to: world.url)]
        let polling = try await world.addFolder("laptop", server: proxies[0].url)
        let waiting = try await world.addFolder("desk", server: proxies[1].url)
        try polling.set("poll_seconds", to: "2")
        try waiting.set("poll_seconds", to: "600")
        // That it is looked all the time whether the folder needs a person asks nobody.
        #expect(try await RealProgram.run("config", "set", "on_attention", "true", waiting.path).status == 0)
        let daemons = try [polling.run(), waiting.run()]
        try polling.write(#"{"a": 1}"#, to: "Note/a.json")
        #expect(try await eventually { waiting.read("Note/a.json") != nil })
        for folder in [polling, waiting] {
            #expect(try await folder.settledVerdict() == "in-sync")
        }
        // The poll shows that the laptop goes on; the second one, that nothing of what came before is left.
        let polls = { proxies[0].exchanges.count { $0.operation == "changes/database" } }
        let rest = try await whileNoLinkComesUp {
            let before = polls()
            #expect(try await eventually { polls() >= before + 2 })
            let marks = proxies.map(\.mark)
            let stamps = try [polling, waiting].map { try $0.stamps(ofState: true) }
            let marked = polls()
            #expect(try await eventually { polls() >= marked + 4 })
            return (
                said: zip(proxies, marks).map { $0.exchanges(since: $1).filter { !$0.isCourier } },
                before: stamps, after: try [polling, waiting].map { try $0.stamps(ofState: true) }
            )
        }

        #expect(Set(rest.said[0].map(\.operation)) == ["changes/database"], "\(rest.said[0])")
        #expect(rest.said[0].count >= 4)
        #expect(rest.said[1].isEmpty, "\(rest.said[1])")
        // Each answer of the server brings a new web auth token, which is kept before it is used: under a temporary
        // name until it takes its place. Of any other file the place itself would differ.
        var written = rest.after[0].filter { rest.before[0][$0.key] != $0.value }
        written[".zonefolder/credentials"] = nil
        written = written.filter { !$0.key.hasPrefix(".zonefolder/.new-") }
        #expect(written.isEmpty)
        #expect(rest.after[1] == rest.before[1])
        withExtendedLifetime(daemons) {}
    }

    @Test("Polling every ten minutes, an edit here is soon there, by push (S0.15, S1.14)")
    func push() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        for folder in [laptop, desk] { try folder.set("poll_seconds", to: "600") }
        let daemons = try [laptop.run(), desk.run()]
        try laptop.write(#"{"edit": 0}"#, to: "Note/a.json")
        #expect(try await eventually { desk.read("Note/a.json") != nil })
        var times: [Duration] = []
        for number in 1...11 {
            let (writer, reader) = number.isMultiple(of: 2) ? (desk, laptop) : (laptop, desk)
            let text = #"{"edit": \#(number)}"#
            let began = ContinuousClock.now
            try writer.write(text, to: "Note/a.json")
            #expect(try await eventually(within: .seconds(120)) { reader.read("Note/a.json") == text })
            times.append(.now - began)
        }
        print("from save to file:", times.map { "\(Int($0 / .milliseconds(1))) ms" }.joined(separator: ", "))
        // By polling it would have taken minutes. How long it took on a machine that does other things besides, is printed.
        #expect(times.count == 11)
        withExtendedLifetime(daemons) {}
    }

    /// What was seen in a stretch of time in which no link of this machine came up: one that does, as another test's, makes
    /// every daemon look at its server.
    private func whileNoLinkComesUp<Result>(see: () async throws -> Result) async throws -> Result {
        for _ in 0..<20 {
            // Where the system tells nobody, it tells no daemon either.
            guard let watcher = try? NetworkWatcher() else { return try await see() }
            let arrivals = Task { await watcher.arrivals.reduce(0) { count, _ in count + 1 } }
            defer { arrivals.cancel() }
            let seen = try await see()
            arrivals.cancel()
            if await arrivals.value == 0 { return seen }
        }
        throw TestFailure("links of this machine come up all the time")
    }
}
