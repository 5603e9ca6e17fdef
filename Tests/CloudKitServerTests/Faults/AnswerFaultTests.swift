import CloudKitWire
import Testing

@testable import CloudKitServer
@testable import WireCoding

/// One fault, one request, what the store is asked and what the client gets for the store's answer.
struct AlterationRow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var faults: [Fault]
    var operation: String
    var request: String
    /// What the store is asked, as a pattern; `nil`: nothing, the request is refused.
    var asked: String?
    var stored: String
    /// A pattern.
    var answer: String

    init(
        _ name: String, _ faults: [Fault], _ operation: String, _ request: String, asked: String? = "{}",
        stored: String, answer: String
    ) {
        testDescription = name
        self.faults = faults
        self.operation = operation
        self.request = request
        self.asked = asked
        self.stored = stored
        self.answer = answer
    }
}

@Suite("What faults make of an answer is a pure function of the request and the store's answer")
struct AnswerFaultTests {
    private static let busy = ErrorDictionary(.zoneBusy, reason: "busy")
    private static func zone(_ more: String) -> String { #"{"zones":[{"zoneID":{"zoneName":"F"}\#(more)}]}"# }
    private static let plain = zone("")
    private static let tokened = zone(#","syncToken":"T1""#)
    private static let page = zone(
        #","syncToken":"T2","moreComing":false,"records":[{"recordName":"a"},{"recordName":"b","deleted":true}]"#)
    private static let firstPage = page.replacing("false", with: "true")

    static let rows: [AlterationRow] = [
        .init("no fault", [], "changes/zone", tokened, asked: tokened, stored: page, answer: page),
        .init(
            "expired token", [.alter(.expireTokens)], "changes/zone", tokened, asked: tokened, stored: page,
            answer: zone(
                #","serverErrorCode":"BAD_REQUEST","reason":"Unknown sync continuation type","records":"<absent>""#)),
        .init("no token cannot expire", [.alter(.expireTokens)], "changes/zone", plain, stored: page, answer: page),
        .init(
            "the empty token neither", [.alter(.expireTokens)], "changes/zone", zone(#","syncToken":"""#), stored: page,
            answer: page),
        .init(
            "another zone's fault", [.alter(.expireTokens, zone: "G")], "changes/zone", tokened, stored: page,
            answer: page),
        .init(
            "a token at the top level expires, too", [.alter(.expireTokens)], "changes/zone",
            #"{"zones":[{"zoneID":{"zoneName":"F"}}],"syncToken":"T1"}"#, stored: page,
            answer: zone(#","serverErrorCode":"BAD_REQUEST""#)),
        .init(
            "expired database token", [.alter(.expireTokens)], "changes/database", #"{"syncToken":"T"}"#, asked: nil,
            stored: "{}", answer: #"{"serverErrorCode":"BAD_REQUEST"}"#),
        .init(
            "expired meta token", [.alter(.expireTokens)], "zones/changes", #"{"metaSyncToken":"T"}"#, asked: nil,
            stored: "{}", answer: #"{"serverErrorCode":"BAD_REQUEST"}"#),
        .init(
            "zone error with an empty token", [.alter(.zoneError(busy, syncToken: ""))], "changes/zone", tokened,
            stored: page,
            answer: zone(#","serverErrorCode":"ZONE_BUSY","reason":"busy","syncToken":"","records":"<absent>""#)),
        .init(
            "zone error without a token", [.alter(.zoneError(busy, syncToken: nil))], "changes/zone", tokened,
            stored: page, answer: zone(#","serverErrorCode":"ZONE_BUSY","syncToken":"<absent>""#)),
        .init(
            "zone error in a lookup", [.alter(.zoneError(busy, syncToken: nil))], "zones/lookup",
            #"{"zones":[{"zoneName":"F"}]}"#, stored: #"{"zones":[{"zoneID":{"zoneName":"F"},"atomic":true}]}"#,
            answer: #"{"zones":[{"zoneID":{"zoneName":"F"},"serverErrorCode":"ZONE_BUSY","atomic":"<absent>"}]}"#),
        .init(
            "record error in a page", [.alter(.recordError(busy, recordName: "a"))], "changes/zone", tokened,
            stored: page,
            answer: zone(
                #","syncToken":"T2","records":[{"recordName":"a","serverErrorCode":"ZONE_BUSY"},{"deleted":true}]"#)),
        .init(
            "record error in a lookup", [.alter(.recordError(busy, recordName: nil))], "records/lookup",
            #"{"records":[{"recordName":"a"}]}"#, stored: #"{"records":[{"recordName":"a","fields":{}}]}"#,
            answer: #"{"records":[{"recordName":"a","serverErrorCode":"ZONE_BUSY","fields":"<absent>"}]}"#),
        .init(
            "empty first page", [.alter(.emptyPage)], "changes/zone", plain, asked: plain, stored: page,
            answer: zone(#","records":[],"moreComing":true,"syncToken":"fault.1.1.""#)),
        .init(
            "empty second page", [.alter(.emptyPage)], "changes/zone", zone(#","syncToken":"fault.1.1.""#),
            asked: zone(#","syncToken":"<absent>""#), stored: page,
            answer: zone(#","records":[],"moreComing":true,"syncToken":"fault.2.1.""#)),
        .init(
            "empty page in the middle", [.alter(.emptyPage)], "changes/zone", tokened, asked: tokened, stored: page,
            answer: zone(#","records":[],"moreComing":true,"syncToken":"fault.1.0.T1""#)),
        .init(
            "after the empty pages", [], "changes/zone", zone(#","syncToken":"fault.7.0.T1""#), asked: tokened,
            stored: page, answer: page),
        .init(
            "empty page of zones", [.alter(.emptyPage)], "changes/database", #"{"syncToken":"D1"}"#,
            asked: #"{"syncToken":"D1"}"#, stored: #"{"zones":[{"zoneID":{"zoneName":"F"}}],"syncToken":"D2"}"#,
            answer: #"{"zones":[],"moreComing":true,"syncToken":"fault.1.0.D1"}"#),
        .init(
            "standing token", [.alter(.standingToken)], "changes/zone", tokened, stored: page,
            answer: zone(#","syncToken":"T1","moreComing":true,"records":"<2 items>""#)),
        .init(
            "standing database token", [.alter(.standingToken)], "changes/database", #"{"syncToken":"D1"}"#,
            stored: #"{"zones":[],"syncToken":"D2","moreComing":false}"#,
            answer: #"{"syncToken":"D1","moreComing":true}"#),
        .init(
            "page size", [.alter(.pageSize(2))], "changes/zone", plain, asked: zone(#","resultsLimit":2"#),
            stored: page, answer: page),
        .init(
            "a smaller limit stays", [.alter(.pageSize(2))], "changes/zone", zone(#","resultsLimit":1"#),
            asked: zone(#","resultsLimit":1"#), stored: page, answer: page),
        .init(
            "children first", [.alter(.childrenFirst)], "changes/zone", tokened, stored: page,
            answer: zone(#","records":[{"recordName":"b"},{"recordName":"a"}]"#)),
        .init(
            "tombstones dropped", [.alter(.dropTombstones)], "changes/zone", plain, stored: page,
            answer: zone(#","records":[{"recordName":"a"}],"syncToken":"T2""#)),
        .init(
            "not with a token", [.alter(.dropTombstones)], "changes/zone", tokened, stored: page,
            answer: zone(#","records":"<2 items>""#)),
        .init(
            "a fetch from nothing stays one", [.alter(.dropTombstones)], "changes/zone", plain, stored: firstPage,
            answer: zone(#","records":"<1 items>","syncToken":"fault.0.1.T2""#)),
        .init(
            "and drops tombstones to its end", [.alter(.dropTombstones)], "changes/zone",
            zone(#","syncToken":"fault.0.1.T1""#), asked: tokened, stored: page,
            answer: zone(#","records":"<1 items>","syncToken":"T2""#)),
        .init(
            "other user", [.alter(.otherUser("_2"))], "users/caller", "", stored: #"{"userRecordName":"_1"}"#,
            answer: #"{"userRecordName":"_2"}"#),
        .init(
            "stale index", [.alter(.staleIndex(.seconds(3)))], "records/query", #"{"query":{}}"#,
            stored:
                #"{"records":[{"created":{"timestamp":7000}},{"created":{"timestamp":7001}}],"continuationMarker":"m"}"#,
            answer: #"{"records":[{"created":{"timestamp":7000}}],"continuationMarker":"m"}"#),
        .init(
            "one of three saves refused", [.alter(.recordError(busy, recordName: "b"))], "records/modify",
            modify("a", "b", "c", atomic: false),
            asked: #"{"operations":[{"record":{"recordName":"a"}},{"record":{"recordName":"c"}}]}"#,
            stored: #"{"records":[{"recordName":"a"},{"recordName":"c","recordChangeTag":"1"}]}"#,
            answer:
                #"{"records":[{"recordName":"a"},{"recordName":"b","serverErrorCode":"ZONE_BUSY"},{"recordName":"c","recordChangeTag":"1"}]}"#
        ),
        .init(
            "one of two atomic saves refused", [.alter(.recordError(busy, recordName: "b"))], "records/modify",
            modify("a", "b", atomic: true), asked: #"{"operations":[]}"#, stored: #"{"records":[]}"#,
            answer:
                #"{"records":[{"recordName":"a","serverErrorCode":"ATOMIC_ERROR"},{"recordName":"b","serverErrorCode":"ZONE_BUSY"}]}"#
        ),
        .init(
            "of several in an atomic request the first is the culprit", [.alter(.recordError(busy, recordName: nil))],
            "records/modify", modify("a", "b", atomic: true), asked: #"{"operations":[]}"#, stored: #"{"records":[]}"#,
            answer: #"{"records":[{"serverErrorCode":"ZONE_BUSY"},{"serverErrorCode":"ATOMIC_ERROR"}]}"#),
        .init(
            "an error stays an error", [.alter(.emptyPage), .alter(.childrenFirst)], "changes/zone", plain,
            stored: zone(#","serverErrorCode":"ZONE_NOT_FOUND""#),
            answer: zone(#","serverErrorCode":"ZONE_NOT_FOUND","records":"<absent>""#)),
        .init(
            "what is no JSON passes", [.alter(.emptyPage)], "changes/zone", "nonsense", asked: nil, stored: "{}",
            answer: "{}"),
    ]

    private static func modify(_ names: String..., atomic: Bool) -> String {
        let operations = names.map { #"{"operationType":"create","record":{"recordName":"\#($0)"}}"# }
        return #"{"zoneID":{"zoneName":"F"},"atomic":\#(atomic),"operations":[\#(operations.joined(separator: ","))]}"#
    }

    @Test("Each alteration", arguments: rows)
    func alteration(row: AlterationRow) throws {
        let faults = AnswerFaults(row.faults, operation: row.operation, now: 10_000)
        switch faults.request(Array(row.request.utf8)) {
        case .body(let body):
            if let asked = row.asked, asked != "{}" { try expect(body, asked) }
            try expect(faults.answer(Array(row.stored.utf8), to: Array(row.request.utf8)), row.answer)
        case .refused(let error):
            #expect(row.asked == nil)
            try expect(error.encoded(), row.answer)
        }
    }

    private func expect(_ body: [UInt8], _ pattern: String) throws {
        var names: [String: String] = [:]
        let differences = try JSONPattern(pattern).differences(from: body, names: &names)
        #expect(differences == [])
    }

    @Test("Without faults a body is what it was, byte by byte")
    func untouched() {
        let body = Array(#"{ "zones" : [ {"zoneID":{"zoneName":"F"} } ], "unknown": 1e0 }"#.utf8)
        let faults = AnswerFaults([.cutAfterCommit], operation: "records/lookup", now: 0)
        #expect(faults.request(body) == .body(body))
        #expect(faults.answer(body, to: body) == body)
    }
}
