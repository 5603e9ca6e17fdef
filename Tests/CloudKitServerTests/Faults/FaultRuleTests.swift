import CloudKitWire
import LosslessJSON
import Testing
import WireCoding

@testable import CloudKitServer

@Suite("Which requests meet a fault")
struct FaultRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var match: FaultRule.Match
        var request: FaultableRequest
        var expected: Bool

        init(_ name: String, _ match: FaultRule.Match, _ request: FaultableRequest, _ expected: Bool) {
            testDescription = name
            self.match = match
            self.request = request
            self.expected = expected
        }
    }

    private static let request = FaultableRequest(
        "records/modify", container: "iCloud.a", user: "_1", zones: ["F", "G"])

    @Test(
        "A request is matched by all that the rule names",
        arguments: [
            Row("nothing named", .init(), request, true),
            Row("operation", .init(operation: "records/modify"), request, true),
            Row("other operation", .init(operation: "records/lookup"), request, false),
            Row("beginning", .init(operation: "records/*"), request, true),
            Row("other beginning", .init(operation: "zones/*"), request, false),
            Row("any operation", .init(operation: "*"), request, true),
            Row("container", .init(container: "iCloud.a"), request, true),
            Row("other container", .init(container: "iCloud.b"), request, false),
            Row("user", .init(user: "_1"), request, true),
            Row("other user", .init(user: "_2"), request, false),
            Row("one of its zones", .init(zone: "G"), request, true),
            Row("other zone", .init(zone: "H"), request, false),
            Row("zone that differs in its case", .init(zone: "g"), request, false),
            Row("all, one wrong", .init(operation: "records/*", user: "_2", zone: "F"), request, false),
            Row("unknown user", .init(user: "_1"), FaultableRequest("zones/list"), false),
            Row("the courier is not meant unless it is named", .init(), FaultableRequest("courier"), false),
            Row("assets' bytes neither", .init(), FaultableRequest("assets/upload-bytes"), false),
            Row("the courier, named", .init(operation: "courier"), FaultableRequest("courier"), true),
            Row("the courier by star", .init(operation: "*"), FaultableRequest("courier"), true),
        ])
    func matching(row: Row) {
        #expect(row.match.matches(row.request) == row.expected)
    }

    @Test(
        "A rule lets some requests by, then meets so many",
        arguments: [
            (0, nil, [true, true, true, true, true]), (0, 2, [true, true, false, false, false]),
            (3, 1, [false, false, false, true, false]), (2, nil, [false, false, true, true, true]),
            (0, 0, [false, false, false, false, false]),
        ] as [(Int, Int?, [Bool])])
    func counting(after: Int, times: Int?, expected: [Bool]) {
        let board = FaultBoard()
        board.add(FaultRule(.cutBeforeCommit, on: .init(operation: "records/*"), after: after, times: times))
        for hit in expected {
            #expect(board.faults(for: FaultableRequest("zones/list")).isEmpty)
            #expect(board.faults(for: Self.request).isEmpty == !hit)
        }
        #expect(board.rules.map(\.seen) == [expected.count] && board.rules.map(\.hits) == [expected.count { $0 }])
    }

    @Test("A request meets every rule that it matches, in their order; a withdrawn one no more")
    func several() {
        let board = FaultBoard()
        let first = board.add(FaultRule(.delay(.seconds(1))))
        board.add(FaultRule(.cutAfterCommit))
        #expect(board.faults(for: Self.request) == [.delay(.seconds(1)), .cutAfterCommit])
        #expect(board.remove(first) && !board.remove(first))
        #expect(board.faults(for: Self.request) == [.cutAfterCommit])
        board.removeAll()
        #expect(board.faults(for: Self.request).isEmpty)
    }

    @Test(
        "Every kind can be asked for",
        arguments: [
            (
                #"{"kind":"answer","status":503,"body":"<html>","headers":{"Retry-After":"30"}}"#,
                .answer(
                    status: 503, contentType: "text/html", body: Array("<html>".utf8), headers: ["Retry-After": "30"])
            ),
            (
                #"{"kind":"refuse","code":"ZONE_BUSY","reason":"busy"}"#,
                .refuse(ErrorDictionary(.zoneBusy, reason: "busy"), status: 503)
            ),
            (
                #"{"kind":"refuse","code":"RETRY_LATER","reason":"x","status":503,"retryAfterHeader":"9"}"#,
                .refuse(
                    ErrorDictionary(.init(rawValue: "RETRY_LATER"), reason: "x"), status: 503, retryAfterHeader: "9")
            ),
            (#"{"kind":"account","state":"restricted"}"#, .account(.restricted)),
            (#"{"kind":"cut","when":"beforeCommit"}"#, .cutBeforeCommit),
            (#"{"kind":"cut","when":"afterCommit"}"#, .cutAfterCommit),
            (#"{"kind":"cut","when":"inBody"}"#, .cutInBody),
            (#"{"kind":"delay","seconds":0.5}"#, .delay(.milliseconds(500))),
            (#"{"kind":"slowBody","seconds":2}"#, .slowBody(over: .seconds(2))),
            (#"{"kind":"endZone","how":"purge"}"#, .endZones(.purge, zone: nil)),
            (#"{"kind":"expireTokens"}"#, .alter(.expireTokens)),
            (
                #"{"kind":"zoneError","code":"BAD_REQUEST","reason":"x","syncToken":""}"#,
                .alter(.zoneError(ErrorDictionary(.badRequest, reason: "x"), syncToken: ""))
            ),
            (
                #"{"kind":"recordError","code":"INTERNAL_ERROR","reason":"x","recordName":"a"}"#,
                .alter(.recordError(ErrorDictionary(.internalError, reason: "x"), recordName: "a"))
            ),
            (#"{"kind":"emptyPage"}"#, .alter(.emptyPage)), (#"{"kind":"standingToken"}"#, .alter(.standingToken)),
            (#"{"kind":"childrenFirst"}"#, .alter(.childrenFirst)),
            (#"{"kind":"dropTombstones"}"#, .alter(.dropTombstones)),
            (#"{"kind":"pageSize","records":3}"#, .alter(.pageSize(3))),
            (#"{"kind":"otherUser","userRecordName":"_2"}"#, .alter(.otherUser("_2"))),
            (#"{"kind":"staleIndex","seconds":3}"#, .alter(.staleIndex(.seconds(3)))),
            (#"{"kind":"wrongBytes"}"#, .alter(.wrongBytes)),
        ] as [(String, Fault)])
    func reading(json: String, expected: Fault) throws {
        let rule = try FaultRule(json: JSONDocument(parsing: Array(#"{"fault":\#(json)}"#.utf8)).root)
        #expect(rule.fault == expected)
    }

    @Test("No kind lacks its row above")
    func kinds() {
        #expect(Fault.kinds.count == 18)
    }

    @Test(
        "A rule that is not understood is refused, and said why",
        arguments: [
            ("[]", "the rule must be an object"), ("{}", "needs a 'fault'"),
            (#"{"fault":{"kind":"explode"}}"#, "'kind' must be one of"),
            (#"{"fault":{"kind":"expireTokens"},"time":1}"#, "the rule has no 'time'"),
            (#"{"fault":{"kind":"expireTokens","zone":"F"}}"#, "a fault of kind expireTokens has no 'zone'"),
            (#"{"fault":{"kind":"expireTokens"},"match":{"zoneName":"F"}}"#, "match has no 'zoneName'"),
            (#"{"fault":{"kind":"expireTokens"},"match":{"zone":7}}"#, "'zone' must be a string"),
            (#"{"fault":{"kind":"expireTokens"},"times":-1}"#, "'times' must be a count"),
            (#"{"fault":{"kind":"expireTokens"},"after":1.5}"#, "'after' must be a count"),
            (#"{"fault":{"kind":"answer"}}"#, "'status' must be"),
            (#"{"fault":{"kind":"answer","status":99}}"#, "'status' must be"),
            (#"{"fault":{"kind":"answer","status":200,"headers":{"A":1}}}"#, "'headers' must be"),
            (#"{"fault":{"kind":"refuse"}}"#, "'code' is missing"),
            (#"{"fault":{"kind":"refuse","code":"X","retryAfter":-1}}"#, "'retryAfter' must be seconds"),
            (#"{"fault":{"kind":"account","state":"sad"}}"#, "'state' must be one of signedOut"),
            (#"{"fault":{"kind":"cut"}}"#, "'when' must be one of beforeCommit, afterCommit, inBody"),
            (#"{"fault":{"kind":"delay","seconds":1e9}}"#, "'seconds' must be"),
            (#"{"fault":{"kind":"endZone","how":"delete"}}"#, "name the zone"),
            (#"{"fault":{"kind":"pageSize","records":0}}"#, "'records' must be at least 1"),
            (#"{"fault":{"kind":"otherUser"}}"#, "'userRecordName' is missing"),
        ])
    func refusals(json: String, reason: String) throws {
        let root = try JSONDocument(parsing: Array(json.utf8)).root
        let error = #expect(throws: WireError.self) { try FaultRule(json: root) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
}
