/// `zones/*` and `changes/database` (protocol §3.4, §3.7, §10.8 to §10.10).
enum ZoneCases {
    static var all: [ConformanceCase] { list + lookup + modify + names + feed }

    private static let defaultZone =
        #"{"zoneID":{"zoneName":"_defaultZone","ownerRecordName":"$user","zoneType":"DEFAULT_ZONE"},"atomic":false,"syncToken":"<absent>"}"#

    private static func zone(_ name: String, token: String = "<string>") -> String {
        #"{"zoneID":{"zoneName":"\#(name)","ownerRecordName":"$user","zoneType":"REGULAR_CUSTOM_ZONE"},"syncToken":"\#(token)","atomic":true,"deleted":"<absent>"}"#
    }

    private static func modify(_ operations: [(String, String)], _ answer: String) -> Exchange {
        let operations = operations.map { #"{"operationType":"\#($0.0)","zone":{"zoneID":{"zoneName":"\#($0.1)"}}}"# }
        return .post(
            "zones/modify", #"{"operations":[\#(operations.joined(separator: ","))]}"#, 200, #"{"zones":[\#(answer)]}"#)
    }

    private static let list: [ConformanceCase] = [
        ConformanceCase(
            "3.7", "a new user has the default zone", .get("zones/list", 200, #"{"zones":[\#(defaultZone)]}"#)),
        ConformanceCase(
            "1", "zones/list by POST, with or without a body",
            .post("zones/list", "{}", 200, #"{"zones":[\#(defaultZone)]}"#),
            .post("zones/list", "", 200, #"{"zones":[\#(defaultZone)]}"#)),
        ConformanceCase(
            "3.7", "zones in the order of their making", .zone("B", "A"),
            .get("zones/list", 200, #"{"zones":[\#(defaultZone),\#(zone("B")),\#(zone("A"))]}"#)),
        ConformanceCase(
            "3.7", "a deleted zone is not listed", .zone("F"), modify([("delete", "F")], #"{"deleted":true}"#),
            .get("zones/list", 200, #"{"zones":"<1 items>"}"#)),
    ]

    private static let lookup: [ConformanceCase] = [
        ConformanceCase(
            "3.7", "what is there, what is not, and the default zone", .zone("F"),
            .post(
                "zones/lookup", #"{"zones":[{"zoneName":"Nope"},{"zoneName":"F"},{"zoneName":"_defaultZone"}]}"#, 200,
                #"{"zones":[{"zoneID":{"zoneName":"Nope"},"serverErrorCode":"ZONE_NOT_FOUND","reason":"Zone 'Nope' does not exist"},\#(zone("F")),\#(defaultZone)]}"#
            )),
        ConformanceCase(
            "3.7", "another owner's zone is not there", .zone("F"),
            .post(
                "zones/lookup", #"{"zones":[{"zoneName":"F","ownerRecordName":"_0"}]}"#, 200,
                #"{"zones":[{"serverErrorCode":"ZONE_NOT_FOUND"}]}"#)),
        ConformanceCase("3.7", "zones are required", .refused("zones/lookup", "{}")),
    ]

    private static let modify: [ConformanceCase] = [
        ConformanceCase("3.7", "a zone comes with a token", modify([("create", "F")], zone("F"))),
        ConformanceCase(
            "10.9", "creating one that exists gives the same again", modify([("create", "F")], zone("F", token: "$t")),
            modify([("create", "F")], zone("F", token: "$t")),
            .post("changes/database", "{}", 200, #"{"zones":[{"zoneID":{"zoneName":"F"}}]}"#)),
        ConformanceCase(
            "3.7", "a zone goes with its records", .zone("F"), .note("a"),
            modify([("delete", "F")], #"{"zoneID":{"zoneName":"F"},"deleted":true,"serverErrorCode":"<absent>"}"#),
            .zone("F"), .lookup("a", #"{"serverErrorCode":"NOT_FOUND"}"#)),
        ConformanceCase(
            "10.9", "deleting one that is not there",
            modify([("delete", "F")], #"{"zoneID":{"zoneName":"F"},"serverErrorCode":"ZONE_NOT_FOUND"}"#)),
        ConformanceCase(
            "10.9", "the default zone can't be created",
            modify(
                [("create", "_defaultZone")], #"{"zoneID":{"zoneName":"_defaultZone"},"serverErrorCode":"BAD_REQUEST"}"#
            )
        ),
        ConformanceCase(
            "10.9", "the default zone can't be deleted",
            modify([("delete", "_defaultZone")], #"{"serverErrorCode":"BAD_REQUEST"}"#)),
        ConformanceCase(
            "3.7", "all are tried, in order, and one failure is no other's",
            modify(
                [("create", "A"), ("delete", "Nope"), ("create", "_no"), ("create", "B")],
                #"{"zoneID":{"zoneName":"A"},"atomic":true},{"serverErrorCode":"ZONE_NOT_FOUND"},{"serverErrorCode":"BAD_REQUEST"},{"zoneID":{"zoneName":"B"},"atomic":true}"#
            )),
        ConformanceCase(
            "3.7", "only create and delete",
            .refused("zones/modify", #"{"operations":[{"operationType":"update","zone":{"zoneID":{"zoneName":"F"}}}]}"#)
        ),
        ConformanceCase("3.7", "operations are required", .refused("zones/modify", "{}")),
        ConformanceCase(
            "3.7", "a zone can be given once, however it is named; else nothing is done",
            .refused(
                "zones/modify",
                #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"F"}}},{"operationType":"delete","zone":{"zoneID":{"zoneName":"F","ownerRecordName":"$user"}}}]}"#
            ),
            .get("zones/list", 200, #"{"zones":"<1 items>"}"#)),
        ConformanceCase(
            "3.7", "a zone is required", .refused("zones/modify", #"{"operations":[{"operationType":"create"}]}"#)),
        ConformanceCase(
            "3.7", "somebody else's zone can't be created",
            .post(
                "zones/modify",
                #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"F","ownerRecordName":"_0"}}}]}"#,
                200, #"{"zones":[{"serverErrorCode":"ACCESS_DENIED"}]}"#)),
    ]

    private static let names: [ConformanceCase] = [
        ("x", true), ("My Folder, 2", true), ("_F", false), ("é", false), ("", false), (#"a\tb"#, false),
    ].map { name, isLegal in
        ConformanceCase(
            "6", "the zone name '\(name)'",
            modify(
                [("create", name)],
                isLegal ? #"{"zoneID":{"zoneName":"\#(name)"},"atomic":true}"# : #"{"serverErrorCode":"BAD_REQUEST"}"#))
    }

    private static let feed: [ConformanceCase] = [
        ConformanceCase(
            "3.4", "without a token all zones, the default zone not among them", .zone("F", "G"),
            .post(
                "changes/database", "{}", 200,
                #"{"zones":[{"zoneID":{"zoneName":"F","ownerRecordName":"$user","zoneType":"REGULAR_CUSTOM_ZONE"},"syncToken":"<string>"},{"zoneID":{"zoneName":"G"}}],"moreComing":false,"syncToken":"<string>"}"#
            )),
        ConformanceCase(
            "3.4", "nothing new, no zones", .zone("F"), .post("changes/database", "{}", 200, #"{"syncToken":"$t"}"#),
            .post("changes/database", #"{"syncToken":"$t"}"#, 200, #"{"zones":"<0 items>","moreComing":false}"#)),
        ConformanceCase(
            "3.4", "a zone with a new record, and no other", .zone("F", "G"),
            .post("changes/database", "{}", 200, #"{"syncToken":"$t"}"#), .note("a"),
            .post(
                "changes/database", #"{"syncToken":"$t"}"#, 200,
                #"{"zones":[{"zoneID":{"zoneName":"F"},"syncToken":"$f","deleted":"<absent>"}]}"#),
            .changes(#""syncToken":"$f""#, #"{"records":[],"syncToken":"$f"}"#)),
        ConformanceCase(
            "10.10", "a deleted zone, for those with a token", .zone("F"),
            .post("changes/database", "{}", 200, #"{"syncToken":"$t"}"#), modify([("delete", "F")], "{}"),
            .post(
                "changes/database", #"{"syncToken":"$t"}"#, 200,
                #"{"zones":[{"zoneID":{"zoneName":"F","ownerRecordName":"$user"},"deleted":true,"syncToken":"<absent>"}]}"#
            )
        ),
        ConformanceCase(
            "10.10", "a zone of the same name supersedes the tombstone", .zone("F"),
            .post("changes/database", "{}", 200, #"{"syncToken":"$t"}"#), modify([("delete", "F")], "{}"), .zone("F"),
            .post(
                "changes/database", #"{"syncToken":"$t"}"#, 200,
                #"{"zones":[{"zoneID":{"zoneName":"F"},"deleted":"<absent>","syncToken":"<string>"}]}"#)),
        ConformanceCase(
            "3.4", "pages", .zone("F", "G", "H"),
            .post(
                "changes/database", #"{"resultsLimit":2}"#, 200,
                #"{"zones":[{"zoneID":{"zoneName":"F"}},{"zoneID":{"zoneName":"G"}}],"moreComing":true,"syncToken":"$t"}"#
            ),
            .post(
                "changes/database", #"{"resultsLimit":2,"syncToken":"$t"}"#, 200,
                #"{"zones":[{"zoneID":{"zoneName":"H"}}],"moreComing":false}"#)),
        ConformanceCase(
            "10.6", "garbage for a token is the request's error",
            .refused(
                "changes/database", #"{"syncToken":"garbage"}"#, 400, "BAD_REQUEST", "Unknown sync continuation type")),
        ConformanceCase("3.4", "a limit of none is refused", .refused("changes/database", #"{"resultsLimit":0}"#)),
    ]
}
