/// Shares, `records/resolve`, `records/accept` and the shared database, as one person alone meets them (protocol §1, §3.1,
/// §3.12). What several people do is in `SharingTests`.
enum SharingCases {
    static var all: [ConformanceCase] { shares + shortGUIDs + database }

    private static let place = "/database/1/iCloud.example/development/"

    private static func ask(_ operation: String, _ guids: String, _ answer: String) -> Exchange {
        .post(place + "public/records/" + operation, #"{"shortGUIDs":\#(guids)}"#, 200, answer)
    }

    private static func shared(_ operation: String, _ body: String, _ status: Int, _ answer: String) -> Exchange {
        .post(place + "shared/" + operation, body, status, answer)
    }

    private static func share(_ name: String, _ more: String, _ answer: String) -> Exchange {
        .modify(
            #"{"operationType":"create","record":{"recordType":"cloudkit.share","recordName":"\#(name)"\#(more)}}"#,
            #"{"records":[\#(answer)]}"#)
    }

    private static let wholeZone = share(
        "cloudkit.zoneshare", "",
        #"{"recordName":"cloudkit.zoneshare","recordType":"cloudkit.share","recordChangeTag":"<string>","shortGUID":"$guid","publicPermission":"NONE","participants":[{"participantId":"<string>","userIdentity":{"userRecordName":"$user"},"type":"OWNER","acceptanceStatus":"ACCEPTED","permission":"READ_WRITE"}],"owner":{"type":"OWNER"},"currentUserParticipant":{"type":"OWNER"}}"#
    )

    private static let shares: [ConformanceCase] = [
        ConformanceCase("3.1", "a share of a whole zone has an owner and a short GUID", .zone("F"), wholeZone),
        ConformanceCase(
            "3.1", "a share of a record names it, and the record its share", .zone("F"), .note("a"),
            share(
                "s", #","forRecord":{"recordName":"a"},"publicPermission":"READ_ONLY""#,
                #"{"recordName":"s","forRecord":{"recordName":"a"},"publicPermission":"READ_ONLY","shortGUID":"$guid"}"#
            ),
            .lookup("a", #"{"share":{"recordName":"s","zoneID":{"zoneName":"F"}},"shortGUID":"$guid"}"#)),
        ConformanceCase(
            "3.1", "a share of a record that is not there", .zone("F"),
            share(
                "s", #","forRecord":{"recordName":"a"}"#,
                #"{"recordName":"s","serverErrorCode":"NOT_FOUND","reason":"Cannot share - no such record exists to share"}"#
            )),
        ConformanceCase(
            "3.1", "a share of nothing", .zone("F"),
            share("s", "", #"{"recordName":"s","serverErrorCode":"BAD_REQUEST","reason":"<string>"}"#)),
        ConformanceCase(
            "3.1", "a share of a record that changed meanwhile", .zone("F"), .note("a"),
            share(
                "s", #","forRecord":{"recordName":"a","recordChangeTag":"zz"}"#,
                #"{"recordName":"s","serverErrorCode":"CONFLICT"}"#)),
        ConformanceCase(
            "3.1", "a share with a stale tag", .zone("F"), wholeZone,
            .modify(
                #"{"operationType":"update","record":{"recordName":"cloudkit.zoneshare","recordChangeTag":"zz"}}"#,
                #"{"records":[{"recordName":"cloudkit.zoneshare","serverErrorCode":"CONFLICT"}]}"#)),
        ConformanceCase(
            "3.1", "shares come with their zone's changes and go with them", .zone("F"), wholeZone,
            .changes(
                "", #"{"records":[{"recordName":"cloudkit.zoneshare","publicPermission":"NONE"}],"syncToken":"$token"}"#
            ),
            .deletion("cloudkit.zoneshare"),
            .changes(#""syncToken":"$token""#, #"{"records":[{"recordName":"cloudkit.zoneshare","deleted":true}]}"#),
            ask("resolve", #"[{"value":"$guid"}]"#, #"{"results":[{"serverErrorCode":"NOT_FOUND"}]}"#)),
        ConformanceCase(
            "3.1", "nothing is shared in the default zone",
            .post(
                "records/modify",
                #"{"operations":[{"operationType":"create","record":{"recordType":"cloudkit.share","recordName":"s","forRecord":{"recordName":"a"}}}]}"#,
                200, #"{"records":[{"recordName":"s","serverErrorCode":"BAD_REQUEST"}]}"#)),
        ConformanceCase(
            "3.1", "nothing is shared in the public database",
            .post(
                place + "public/records/modify",
                #"{"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"a","createShortGUID":true}}]}"#,
                200, #"{"records":[{"recordName":"a","serverErrorCode":"BAD_REQUEST"}]}"#)),
    ]

    private static let shortGUIDs: [ConformanceCase] = [
        ConformanceCase(
            "3.12", "the owner finds a share of their own in the private database", .zone("F"), wholeZone,
            ask(
                "resolve", #"[{"value":"$guid"}]"#,
                #"{"results":[{"shortGUID":{"value":"$guid"},"containerIdentifier":"iCloud.example","environment":"development","databaseScope":"PRIVATE","zoneID":{"zoneName":"F","ownerRecordName":"$user"},"share":{"recordName":"cloudkit.zoneshare"},"ownerIdentity":{"userRecordName":"$user"},"participantType":"OWNER","participantStatus":"ACCEPTED","participantPermission":"READ_WRITE","rootRecordName":"<absent>"}]}"#
            ),
            ask("accept", #"[{"value":"$guid"}]"#, #"{"results":[{"participantType":"OWNER"}]}"#)),
        ConformanceCase(
            "3.12", "the record at the top comes where it is asked for", .zone("F"),
            .note("a", #"{"t":{"value":"x"},"u":{"value":"y"}}"#),
            share("s", #","forRecord":{"recordName":"a"}"#, #"{"shortGUID":"$guid"}"#),
            ask(
                "resolve",
                #"[{"value":"$guid"},{"value":"$guid","shouldFetchRootRecord":true,"rootRecordDesiredKeys":["t"]}]"#,
                #"{"results":[{"rootRecordName":"a","rootRecord":"<absent>"},{"rootRecordName":"a","rootRecord":{"recordName":"a","fields":{"t":{"value":"x"},"u":"<absent>"}}}]}"#
            )),
        ConformanceCase(
            "3.12", "an unknown short GUID",
            ask(
                "resolve", #"[{"value":"0none"}]"#,
                #"{"results":[{"shortGUID":{"value":"0none"},"serverErrorCode":"NOT_FOUND","reason":"<string>"}]}"#),
            ask("accept", #"[{"value":"0none"}]"#, #"{"results":[{"serverErrorCode":"NOT_FOUND"}]}"#)),
        ConformanceCase(
            "3.12", "the short GUID of a record that is not shared yet", .zone("F"),
            .modify(
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"a","createShortGUID":true}}"#,
                #"{"records":[{"recordName":"a","shortGUID":"$guid","share":"<absent>"}]}"#),
            .lookup("a", #"{"shortGUID":"$guid"}"#),
            ask("resolve", #"[{"value":"$guid"}]"#, #"{"results":[{"serverErrorCode":"NOT_FOUND"}]}"#)),
        ConformanceCase("3.12", "no short GUIDs", ask("resolve", "[]", #"{"results":"<0 items>"}"#)),
        ConformanceCase(
            "3.12", "a short GUID without its value",
            .refused(place + "public/records/resolve", #"{"shortGUIDs":[{}]}"#)),
        ConformanceCase("3.12", "no list of short GUIDs", .refused(place + "public/records/accept", "{}")),
        ConformanceCase(
            "3.12", "more than 200 short GUIDs",
            .refused(
                place + "public/records/resolve",
                #"{"shortGUIDs":[\#(Array(repeating: #"{"value":"0a"}"#, count: 201).joined(separator: ","))]}"#)),
        ConformanceCase(
            "3.12", "shares are found through the public database",
            .refused(
                "records/resolve", "{}", 400, "BAD_REQUEST",
                "endpoint not applicable in the database type 'privatedb'")),
    ]

    private static let owner = #""ownerRecordName":"_00112233445566778899aabbccddeeff""#

    private static let database: [ConformanceCase] = [
        ConformanceCase(
            "1", "a shared database with nothing in it", shared("zones/list", "{}", 200, #"{"zones":"<0 items>"}"#),
            shared(
                "changes/database", "{}", 200, #"{"zones":"<0 items>","syncToken":"$token","moreComing":false}"#),
            shared(
                "changes/database", #"{"syncToken":"$token"}"#, 200, #"{"zones":"<0 items>","syncToken":"$token"}"#)),
        ConformanceCase(
            "1", "the private database's token is none of the shared one",
            .post("changes/database", "{}", 200, #"{"syncToken":"$token"}"#),
            shared(
                "changes/database", #"{"syncToken":"$token"}"#, 400,
                #"{"serverErrorCode":"BAD_REQUEST","reason":"Unknown sync continuation type"}"#)),
        ConformanceCase(
            "1", "a zone without its owner",
            .refused(
                place + "shared/records/lookup", #"{"zoneID":{"zoneName":"F"},"records":[{"recordName":"a"}]}"#, 400,
                "BAD_REQUEST", "zoneID needs to have ownerRecordName field for calls to sharedb")),
        ConformanceCase(
            "1", "one's own zone is not shared with oneself", .zone("F"), wholeZone,
            shared(
                "changes/zone", #"{"zones":[{"zoneID":{"zoneName":"F","ownerRecordName":"$user"}}]}"#, 200,
                #"{"zones":[{"zoneID":{"zoneName":"F"},"serverErrorCode":"ZONE_NOT_FOUND"}]}"#)),
        ConformanceCase(
            "10.8", "a zone that nobody shares",
            .refused(
                place + "shared/records/modify", #"{"zoneID":{"zoneName":"F",\#(owner)},"operations":[]}"#, 404,
                "ZONE_NOT_FOUND"),
            shared(
                "zones/lookup", #"{"zones":[{"zoneName":"F",\#(owner)}]}"#, 200,
                #"{"zones":[{"serverErrorCode":"ZONE_NOT_FOUND"}]}"#)),
        ConformanceCase(
            "1", "zones are made in the private database",
            .refused(
                place + "shared/zones/modify", #"{"operations":[]}"#, 400, "BAD_REQUEST",
                "endpoint not applicable in the database type 'shareddb'")),
    ]
}
