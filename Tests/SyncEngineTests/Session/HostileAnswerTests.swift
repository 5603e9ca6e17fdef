import CloudKitServer
import CloudKitWire
import FolderControl
import SystemPackage
import Testing

/// What goes wrong while two devices sync.
struct HostileCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var rules: [FaultRule]

    init(_ name: String, _ rules: FaultRule...) {
        testDescription = name
        self.rules = rules
    }
}

@Suite("Whatever a server answers (protocol §3.5, §5, §10.13)", .timeLimit(.minutes(30)))
struct HostileAnswerTests {
    private static let feed = FaultRule.Match(operation: "changes/zone")
    private static let database = FaultRule.Match(operation: "changes/database")
    private static let save = FaultRule.Match(operation: "records/modify")
    private static func error(_ code: String) -> ErrorDictionary {
        ErrorDictionary(.init(rawValue: code), reason: "on demand")
    }
    private static let html = Fault.answer(
        status: 503, contentType: "text/html", body: Array("<html>".utf8), headers: ["Retry-After": "1"])

    static let cases: [HostileCase] = [
        HostileCase("seven empty pages in a row", FaultRule(.alter(.emptyPage), on: feed, times: 7)),
        HostileCase("empty pages of zones", FaultRule(.alter(.emptyPage), on: database, times: 7)),
        HostileCase("pages of one record", FaultRule(.alter(.pageSize(1)), on: feed)),
        HostileCase(
            "children before their parents, in small pages", FaultRule(.alter(.pageSize(3)), on: feed),
            FaultRule(.alter(.childrenFirst), on: feed)),
        HostileCase("no tombstones without a token", FaultRule(.alter(.dropTombstones), on: feed)),
        HostileCase("expired tokens of a zone", FaultRule(.alter(.expireTokens), on: feed, after: 1, times: 2)),
        HostileCase(
            "expired tokens of the database", FaultRule(.alter(.expireTokens), on: database, after: 1, times: 2)),
        HostileCase("a token that does not move", FaultRule(.alter(.standingToken), on: feed, after: 1, times: 2)),
        HostileCase(
            "a zone's error with an empty token",
            FaultRule(.alter(.zoneError(error("TRY_AGAIN_LATER"), syncToken: "")), on: feed, times: 2)),
        HostileCase("RETRY_LATER", FaultRule(.refuse(error("RETRY_LATER"), status: 503), times: 3)),
        HostileCase(
            "a record's error in a page",
            FaultRule(.alter(.recordError(error("INTERNAL_ERROR"), recordName: nil)), on: feed, times: 2)),
        HostileCase(
            "errors of single saves",
            FaultRule(.alter(.recordError(error("ZONE_BUSY"), recordName: nil)), on: save, times: 2)),
        HostileCase("answers lost before the commit", FaultRule(.cutBeforeCommit, on: save, times: 2)),
        HostileCase("answers lost after the commit", FaultRule(.cutAfterCommit, on: save, times: 2)),
        HostileCase("answers cut in the middle", FaultRule(.cutInBody, times: 3)),
        HostileCase("a 503 without JSON", FaultRule(html, times: 3)),
        HostileCase("throttled", FaultRule(.refuse(error("THROTTLED"), status: 429, retryAfterHeader: "1"), times: 2)),
        HostileCase(
            "misdirected uploads, downloads that break off",
            FaultRule(
                .answer(status: 421, contentType: "text/plain", body: [], headers: [:]),
                on: .init(operation: "assets/upload-bytes"), times: 2),
            FaultRule(.cutInBody, on: .init(operation: "assets/download"), times: 2)),
    ]

    @Test("Two devices end alike, and nothing is lost or doubled", arguments: cases)
    func converges(_ example: HostileCase) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            let desk = try world.device("desk")
            for number in 0..<8 { try laptop.write(#"{"n": \#(number)}"#, to: "Note/n\(number).json") }
            try laptop.write("picture", to: "img/a.bin")
            try await laptop.sync()
            try laptop.delete("Note/n7.json")
            try await laptop.sync()

            for rule in example.rules { world.faults.add(rule) }
            try await desk.sync()
            try laptop.write(#"{"n": 100}"#, to: "Note/n0.json")
            try laptop.write("another picture", to: "img/b.bin")
            try laptop.delete("Note/n1.json")
            try desk.write(#"{"n": 200}"#, to: "Note/n2.json")
            try await converge(laptop, desk)

            #expect(world.faults.rules.allSatisfy { $0.hits > 0 }, "a fault met no request")
            world.faults.removeAll()
            try await converge(laptop, desk)
            var expected = ["img/a.bin": "picture", "img/b.bin": "another picture"]
            for number in 2..<7 { expected["Note/n\(number).json"] = #"{"n": \#(number)}"# }
            expected["Note/n0.json"] = #"{"n": 100}"#
            expected["Note/n2.json"] = #"{"n": 200}"#
            for device in [laptop, desk] {
                #expect(try device.files() == expected)
                #expect(try device.folder.appending(".zonefolder/staging").names().isEmpty)
                #expect(try await device.report().verdict == .inSync)
            }
            try laptop.close()
            try desk.close()
        }
    }
}
