/// `records/lookup` and `changes/zone` (protocol §3.2, §3.5, §10.6, §10.7).
enum ReadingCases {
    static var all: [ConformanceCase] { lookup + feed + entries }

    private static let three = #"{"x":{"value":1,"type":"INT64"},"y":{"value":"two","type":"STRING"}}"#

    private static let lookup: [ConformanceCase] = [
        ConformanceCase(
            "3.2", "what is there, and what is not, in order", .zone("F"), .note("b"),
            .post(
                "records/lookup", #"{"zoneID":{"zoneName":"F"},"records":[{"recordName":"a"},{"recordName":"b"}]}"#,
                200,
                #"{"records":[{"recordName":"a","reason":"Record not found","serverErrorCode":"NOT_FOUND"},{"recordName":"b","recordType":"Note","deleted":false}]}"#
            )),
        ConformanceCase(
            "3.2", "a deleted record is not there", .zone("F"), .note("a"), .deletion("a"),
            .lookup("a", #"{"serverErrorCode":"NOT_FOUND"}"#)),
        ConformanceCase(
            "3.2", "desiredKeys choose fields", .zone("F"), .note("a", three),
            .post(
                "records/lookup",
                #"{"zoneID":{"zoneName":"F"},"desiredKeys":["y","unknown"],"records":[{"recordName":"a"}]}"#, 200,
                #"{"records":[{"fields":{"y":{"value":"two"},"x":"<absent>"}}]}"#)),
        ConformanceCase(
            "3.2", "no desiredKeys give no fields", .zone("F"), .note("a", three),
            .post(
                "records/lookup", #"{"zoneID":{"zoneName":"F"},"desiredKeys":[],"records":[{"recordName":"a"}]}"#, 200,
                #"{"records":[{"recordName":"a","fields":"<empty>"}]}"#)),
        ConformanceCase(
            "3.2", "desiredKeys of one record", .zone("F"), .note("a", three), .note("b", three),
            .post(
                "records/lookup",
                #"{"zoneID":{"zoneName":"F"},"records":[{"recordName":"a","desiredKeys":["x"]},{"recordName":"b"}]}"#,
                200,
                #"{"records":[{"fields":{"x":{"value":1},"y":"<absent>"}},{"fields":{"x":{"value":1},"y":{"value":"two"}}}]}"#
            )),
        ConformanceCase(
            "3.2", "numbersAsStrings", .zone("F"), .note("a", three),
            .post(
                "records/lookup",
                #"{"zoneID":{"zoneName":"F"},"numbersAsStrings":true,"records":[{"recordName":"a"}]}"#, 200,
                #"{"records":[{"fields":{"x":{"value":"1","type":"INT64"}}}]}"#)),
        ConformanceCase(
            "3.2", "without a zone, the default zone",
            .post(
                "records/modify",
                #"{"operations":[{"operationType":"create","record":{"recordName":"d","recordType":"Note"}}]}"#),
            .post("records/lookup", #"{"records":[{"recordName":"d"}]}"#, 200, #"{"records":[{"recordName":"d"}]}"#)),
        ConformanceCase(
            "3.2", "nothing asked, nothing answered", .zone("F"),
            .post("records/lookup", #"{"zoneID":{"zoneName":"F"},"records":[]}"#, 200, #"{"records":"<0 items>"}"#)),
        ConformanceCase(
            "10.8", "a missing zone is the error of the whole records/lookup",
            .refused(
                "records/lookup", #"{"zoneID":{"zoneName":"Nope"},"records":[]}"#, 404, "ZONE_NOT_FOUND",
                "Zone 'Nope' does not exist")),
        ConformanceCase(
            "10.8", "a deleted zone is a missing one", .zone("F"), .note("a"),
            .post("zones/modify", #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"F"}}}]}"#),
            .refused(
                "records/lookup", #"{"zoneID":{"zoneName":"F"},"records":[{"recordName":"a"}]}"#, 404, "ZONE_NOT_FOUND")
        ),
        ConformanceCase(
            "3.2", "records are required", .zone("F"), .refused("records/lookup", #"{"zoneID":{"zoneName":"F"}}"#)),
        ConformanceCase(
            "3.2", "a record without a name", .zone("F"),
            .refused("records/lookup", #"{"zoneID":{"zoneName":"F"},"records":[{}]}"#)),
    ]

    private static let feed: [ConformanceCase] = [
        ConformanceCase(
            "3.5", "an empty zone has a token and nothing", .zone("F"),
            .changes(
                "",
                #"{"zoneID":{"zoneName":"F","ownerRecordName":"$user"},"records":[],"moreComing":false,"syncToken":"$t"}"#
            ),
            .changes(#""syncToken":"$t""#, #"{"records":[],"syncToken":"$t"}"#)),
        ConformanceCase(
            "3.5", "each record once, at its latest change, with its latest content", .zone("F"), .note("a"),
            .note("b"),
            .modify(
                #"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"a","fields":{"x":{"value":2}}}}"#
            ),
            .changes(
                "",
                #"{"records":[{"recordName":"b","recordType":"Note","recordChangeTag":"<string>","fields":"<empty>","created":"<any>","modified":"<any>","deleted":false},{"recordName":"a","fields":{"x":{"value":2}}}],"moreComing":false}"#
            )),
        ConformanceCase(
            "3.5", "tombstones stand among the records, with a token or without", .zone("F"), .note("a"),
            .changes("", #"{"syncToken":"$t"}"#), .deletion("a"), .note("b"),
            .changes(
                #""syncToken":"$t""#,
                #"{"records":[{"recordName":"a","deleted":true,"recordType":"<absent>","fields":"<absent>"},{"recordName":"b"}]}"#
            ),
            .changes("", #"{"records":[{"recordName":"a","deleted":true},{"recordName":"b"}]}"#)),
        ConformanceCase(
            "3.5", "what was created and deleted since is a tombstone, too", .zone("F"),
            .changes("", #"{"syncToken":"$t"}"#), .note("a"), .deletion("a"),
            .changes(#""syncToken":"$t""#, #"{"records":[{"recordName":"a","deleted":true}]}"#)),
        ConformanceCase(
            "3.5", "a record made anew is no tombstone any more", .zone("F"), .note("a"), .deletion("a"), .note("a"),
            .changes("", #"{"records":[{"recordName":"a","deleted":false}]}"#)),
        ConformanceCase(
            "3.5", "same token, same answer", .zone("F"), .changes("", #"{"syncToken":"$t"}"#), .note("a"),
            .changes(#""syncToken":"$t""#, #"{"records":[{"recordName":"a"}],"syncToken":"$end"}"#),
            .changes(#""syncToken":"$t""#, #"{"records":[{"recordName":"a"}],"syncToken":"$end"}"#)),
        ConformanceCase(
            "3.5", "pages, in any size, several at a time", .zone("F"), .note("a"), .note("b"), .note("c"),
            .changes(
                #""resultsLimit":2"#,
                #"{"records":[{"recordName":"a"},{"recordName":"b"}],"moreComing":true,"syncToken":"$two"}"#),
            .changes(#""resultsLimit":1"#, #"{"records":[{"recordName":"a"}],"moreComing":true,"syncToken":"$one"}"#),
            .changes(
                #""resultsLimit":1,"syncToken":"$two""#,
                #"{"records":[{"recordName":"c"}],"moreComing":false,"syncToken":"$end"}"#),
            .changes(
                #""syncToken":"$one""#,
                #"{"records":[{"recordName":"b"},{"recordName":"c"}],"moreComing":false,"syncToken":"$end"}"#)),
        ConformanceCase(
            "3.5", "what changes during paging turns up again", .zone("F"), .note("a"), .note("b"),
            .changes(#""resultsLimit":1"#, #"{"records":[{"recordName":"a"}],"moreComing":true,"syncToken":"$t"}"#),
            .modify(#"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"a"}}"#),
            .changes(#""syncToken":"$t""#, #"{"records":[{"recordName":"b"},{"recordName":"a"}],"moreComing":false}"#)),
        ConformanceCase(
            "10.7", "the empty token is caught up", .zone("F"), .note("a"), .changes("", #"{"syncToken":"$t"}"#),
            .changes(#""syncToken":"""#, #"{"records":[],"moreComing":false,"syncToken":"$t"}"#)),
        ConformanceCase(
            "3.5", "a page's token is that of zones/lookup once caught up", .zone("F"), .note("a"),
            .changes("", #"{"syncToken":"$t"}"#),
            .post(
                "zones/lookup", #"{"zones":[{"zoneName":"F"}]}"#, 200, #"{"zones":[{"syncToken":"$t"}]}"#)),
        ConformanceCase(
            "3.5", "desiredKeys thin out the feed", .zone("F"), .note("a", three),
            .changes(#""desiredKeys":["x"]"#, #"{"records":[{"fields":{"x":{"value":1},"y":"<absent>"}}]}"#),
            .changes(#""desiredKeys":[]"#, #"{"records":[{"recordName":"a","fields":"<empty>"}]}"#)),
        ConformanceCase(
            "3.5", "keys at the top level are defaults for all zones", .zone("F", "G"), .note("a", three),
            .post(
                "changes/zone",
                #"{"zones":[{"zoneID":{"zoneName":"F"}},{"zoneID":{"zoneName":"G"}}],"desiredKeys":["x"],"resultsLimit":1}"#,
                200, #"{"zones":[{"records":[{"fields":{"x":{"value":1},"y":"<absent>"}}]},{"records":[]}]}"#)),
        ConformanceCase(
            "3.5", "numbersAsStrings, in both of its spellings", .zone("F"), .note("a", three),
            .changes(#""numbersAsStrings":true"#, #"{"records":[{"fields":{"x":{"value":"1"}}}]}"#),
            .changes(#""numberAsStrings":true"#, #"{"records":[{"fields":{"x":{"value":"1"}}}]}"#)),
        ConformanceCase(
            "1", "a token under a misspelt key is none", .zone("F"), .note("a"), .changes("", #"{"syncToken":"$t"}"#),
            .changes(#""synctoken":"$t""#, #"{"records":[{"recordName":"a"}]}"#)),
        ConformanceCase(
            "9", "an own save comes back with the tag that it was answered with", .zone("F"), .note("a", tag: "$tag"),
            .changes("", #"{"records":[{"recordName":"a","recordChangeTag":"$tag"}]}"#)),
        ConformanceCase(
            "3.5", "no zones, no entries", .post("changes/zone", #"{"zones":[]}"#, 200, #"{"zones":"<0 items>"}"#)),
        ConformanceCase("3.5", "zones are required", .refused("changes/zone", "{}")),
        ConformanceCase(
            "3.5", "a limit of none is refused", .zone("F"),
            .changes(#""resultsLimit":0"#, #"{"serverErrorCode":"BAD_REQUEST"}"#)),
        ConformanceCase(
            "3.5", "a negative limit is refused", .zone("F"),
            .changes(#""resultsLimit":-1"#, #"{"serverErrorCode":"BAD_REQUEST"}"#)),
    ]

    /// A zone's own error, in a 200, with the zone's ID.
    private static func entry(
        _ zone: String, _ query: String, _ code: String, _ reason: String = "<string>"
    ) -> Exchange {
        .post(
            "changes/zone", #"{"zones":[{"zoneID":{"zoneName":"\#(zone)"}\#(query)},{"zoneID":{"zoneName":"G"}}]}"#,
            200,
            #"{"zones":[{"zoneID":{"zoneName":"\#(zone)"},"serverErrorCode":"\#(code)","reason":"\#(reason)","records":"<absent>"},{"zoneID":{"zoneName":"G"},"records":[]}]}"#
        )
    }

    private static let entries: [ConformanceCase] = [
        ConformanceCase(
            "3.5", "garbage for a token", .zone("F", "G"),
            entry("F", #","syncToken":"garbage""#, "BAD_REQUEST", "Unknown sync continuation type")),
        ConformanceCase(
            "3.5", "a token cut short", .zone("F", "G"), .changes("", #"{"syncToken":"$t"}"#),
            entry("F", #","syncToken":"WgEAAAAAAAA=""#, "BAD_REQUEST", "Invalid continuation format")),
        ConformanceCase(
            "3.4", "a database's token for a zone", .zone("F", "G"),
            .post("changes/database", "{}", 200, #"{"syncToken":"$d"}"#),
            entry("F", #","syncToken":"$d""#, "BAD_REQUEST")),
        ConformanceCase(
            "3.4", "a zone's token for the database", .zone("F"), .changes("", #"{"syncToken":"$t"}"#),
            .refused("changes/database", #"{"syncToken":"$t"}"#)),
        ConformanceCase(
            "3.5", "another zone's token", .zone("F", "G", "H"),
            .post("zones/lookup", #"{"zones":[{"zoneName":"H"}]}"#, 200, #"{"zones":[{"syncToken":"$h"}]}"#),
            entry("F", #","syncToken":"$h""#, "BAD_REQUEST", "Unknown sync continuation type")),
        ConformanceCase(
            "10.8", "a missing zone", .zone("G"), entry("F", "", "ZONE_NOT_FOUND", "Zone 'F' does not exist")),
        ConformanceCase(
            "3.5", "the default zone", .zone("G"),
            entry("_defaultZone", "", "BAD_REQUEST", "cannot get changes in default zone")),
        ConformanceCase(
            "10.6", "a zone made again refuses the tokens of its former self", .zone("F", "G"),
            .changes("", #"{"syncToken":"$t"}"#),
            .post("zones/modify", #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"F"}}}]}"#),
            .zone("F"), entry("F", #","syncToken":"$t""#, "BAD_REQUEST", "Unknown sync continuation type"),
            .changes("", #"{"records":[],"moreComing":false}"#)),
    ]
}
