/// Limits (protocol §6, §10.5): what is at one is done, what is one beyond is refused and does nothing.
enum LimitCases {
    static var all: [ConformanceCase] { items + pages + names + sizes + referrers }

    private static func list(_ count: Int, _ item: (Int) -> String) -> String {
        (0..<count).map(item).joined(separator: ",")
    }

    /// Each list of items that a request can have.
    private static let requests: [(operation: String, answer: String, body: @Sendable (Int) -> String)] = [
        (
            "records/modify", "records",
            { count in
                let items = list(count) {
                    #"{"operationType":"create","record":{"recordType":"Note","recordName":"n\#($0)"}}"#
                }
                return #"{"zoneID":{"zoneName":"F"},"operations":[\#(items)]}"#
            }
        ),
        (
            "records/lookup", "records",
            { #"{"zoneID":{"zoneName":"F"},"records":[\#(list($0) { #"{"recordName":"n\#($0)"}"# })]}"# }
        ),
        ("changes/zone", "zones", { #"{"zones":[\#(list($0) { #"{"zoneID":{"zoneName":"Z\#($0)"}}"# })]}"# }),
        ("zones/lookup", "zones", { #"{"zones":[\#(list($0) { #"{"zoneName":"Z\#($0)"}"# })]}"# }),
        (
            "zones/modify", "zones",
            { count in
                let items = list(count) { #"{"operationType":"create","zone":{"zoneID":{"zoneName":"Z\#($0)"}}}"# }
                return #"{"operations":[\#(items)]}"#
            }
        ),
        (
            "subscriptions/lookup", "subscriptions",
            { #"{"subscriptions":[\#(list($0) { #"{"subscriptionID":"s\#($0)"}"# })]}"# }
        ),
        (
            "subscriptions/modify", "subscriptions",
            { count in
                let items = list(count) {
                    #"{"operationType":"create","subscription":{"subscriptionID":"s\#($0)","subscriptionType":"database"}}"#
                }
                return #"{"operations":[\#(items)]}"#
            }
        ),
        (
            "assets/upload", "tokens",
            { #"{"zoneID":{"zoneName":"F"},"tokens":[\#(list($0) { #"{"recordName":"n\#($0)","fieldName":"f"}"# })]}"# }
        ),
        (
            "assets/rereference", "assets",
            { #"{"zoneID":{"zoneName":"F"},"assets":[\#(list($0) { #"{"recordName":"n\#($0)","fieldName":"f"}"# })]}"# }
        ),
    ]

    private static let items: [ConformanceCase] = requests.flatMap { operation, key, body in
        [
            ConformanceCase(
                "6", "\(operation) takes 200 items", .zone("F"),
                .post(operation, body(200), 200, #"{"\#(key)":"<200 items>"}"#)),
            ConformanceCase(
                "10.5", "\(operation) refuses 201 items and names the limit", .zone("F"),
                .refused(operation, body(201), 400, "BAD_REQUEST", "<has 200>"),
                .changes("", #"{"records":[]}"#), .get("zones/list", 200, #"{"zones":"<2 items>"}"#),
                .get("subscriptions/list", 200, #"{"subscriptions":"<0 items>"}"#)),
        ]
    }

    private static let pages: [ConformanceCase] = [
        ConformanceCase(
            "10.5", "a page has 200 records, whatever is asked for", .zone("F"),
            .post("records/modify", requests[0].body(200)), .note("last"),
            .changes("", #"{"records":"<200 items>","moreComing":true}"#),
            .changes(#""resultsLimit":500"#, #"{"records":"<200 items>","moreComing":true,"syncToken":"$t"}"#),
            .changes(#""syncToken":"$t""#, #"{"records":[{"recordName":"last"}],"moreComing":false}"#)),
        ConformanceCase(
            "10.5", "a page that ends where the zone does is the last", .zone("F"),
            .post("records/modify", requests[0].body(200)),
            .changes("", #"{"records":"<200 items>","moreComing":false}"#)),
        ConformanceCase(
            "10.5", "a page of zones has 200", .zone("F"),
            .post("zones/modify", requests[4].body(200)),
            .post("changes/database", #"{"resultsLimit":999}"#, 200, #"{"zones":"<200 items>","moreComing":true}"#)),
    ]

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static let names: [ConformanceCase] = [(255, true), (256, false)].flatMap { length, isLegal in
        let name = text(length)
        let item = isLegal ? #""serverErrorCode":"<absent>""# : #""serverErrorCode":"BAD_REQUEST""#
        let record = { (name: String, type: String, field: String) in
            Exchange.modify(
                #"{"operationType":"create","record":{"recordType":"\#(type)","recordName":"\#(name)","fields":{"\#(field)":{"value":1}}}}"#,
                #"{"records":[{\#(item)}]}"#)
        }
        return [
            ConformanceCase("6", "a record's name of \(length)", .zone("F"), record(name, "Note", "f")),
            ConformanceCase("6", "a record type of \(length)", .zone("F"), record("a", name, "f")),
            ConformanceCase("6", "a field's name of \(length)", .zone("F"), record("a", "Note", name)),
            ConformanceCase(
                "6", "a zone's name of \(length)",
                .post(
                    "zones/modify",
                    #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\#(name)"}}}]}"#, 200,
                    #"{"zones":[{\#(item)}]}"#)),
            ConformanceCase(
                "6", "a subscription's ID of \(length)",
                .post(
                    "subscriptions/modify",
                    #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"\#(name)","subscriptionType":"database"}}]}"#,
                    200, #"{"subscriptions":[{\#(item)}]}"#)),
        ]
    }

    private static func save(_ fields: String, _ code: String) -> Exchange {
        .modify(
            #"{"operationType":"create","record":{"recordType":"Note","recordName":"a","fields":\#(fields)}}"#,
            #"{"records":[{"recordName":"a","serverErrorCode":"\#(code)"}]}"#)
    }

    /// A record's megabyte is 1,048,576 bytes of keys and values, text counted in UTF-8, bytes raw.
    private static let sizes: [ConformanceCase] = [
        ConformanceCase(
            "6", "a record of 1 MB", .zone("F"), save(#"{"t":{"value":"\#(text(1_048_575))"}}"#, "<absent>")),
        ConformanceCase(
            "10.5", "a record of one byte more", .zone("F"),
            save(#"{"t":{"value":"\#(text(1_048_576))"}}"#, "BAD_REQUEST"),
            .lookup("a", #"{"serverErrorCode":"NOT_FOUND"}"#)),
        ConformanceCase(
            "6", "text counts in UTF-8", .zone("F"),
            save(#"{"t":{"value":"\#(String(repeating: "é", count: 524_288))"}}"#, "BAD_REQUEST"),
            save(#"{"t":{"value":"\#(String(repeating: "é", count: 524_287))"}}"#, "<absent>")),
        ConformanceCase(
            "6", "bytes count raw, not as base64", .zone("F"),
            save(#"{"t":{"type":"BYTES","value":"\#(String(repeating: "AAAA", count: 349_525))"}}"#, "<absent>")),
        ConformanceCase(
            "6", "what a record keeps counts, too", .zone("F"),
            save(#"{"t":{"value":"\#(text(600_000))"}}"#, "<absent>"),
            .modify(
                #"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"a","fields":{"u":{"value":"\#(text(600_000))"}}}}"#,
                #"{"records":[{"recordName":"a","serverErrorCode":"BAD_REQUEST"}]}"#)),
        ConformanceCase(
            "10.5", "a body over the limit is refused, and names the limit",
            .refused("zones/lookup", #"{"x":"\#(text(2_097_152))"}"#, 400, "BAD_REQUEST", "<has 2097152>")),
        ConformanceCase(
            "10.5", "a body at the limit is read",
            .post("zones/lookup", #"{"zones":[],"x":"\#(text(2_097_152 - 19))"}"#, 200, #"{"zones":[]}"#)),
    ]

    /// Notes that refer to `t`, by numbers.
    private static func referring(_ numbers: Range<Int>, _ answer: String) -> Exchange {
        .post(
            "records/modify",
            #"{"zoneID":{"zoneName":"F"},"operations":[\#(numbers.map { #"{"operationType":"create","record":{"recordType":"Note","recordName":"n\#($0)","fields":{"r":{"type":"REFERENCE","value":{"recordName":"t","action":"DELETE_SELF"}}}}}"# }.joined(separator: ","))]}"#,
            200, answer)
    }

    private static let referrers: [ConformanceCase] = [
        ConformanceCase(
            "6", "750 DELETE_SELF references to one record, not 751",
            [.zone("F"), .note("t")]
                + [0..<200, 200..<400, 400..<600, 600..<750].map {
                    referring($0, #"{"records":"<\#($0.count) items>"}"#)
                }
                + [
                    referring(750..<751, #"{"records":[{"recordName":"n750","serverErrorCode":"BAD_REQUEST"}]}"#),
                    .deletion("n0"), referring(750..<751, #"{"records":[{"serverErrorCode":"<absent>"}]}"#),
                ])
    ]
}
