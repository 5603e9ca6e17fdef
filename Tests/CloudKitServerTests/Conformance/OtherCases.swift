/// `subscriptions/*`, `tokens/*`, `users/*`, `assets/*` (protocol §3.8 to §3.11).
enum OtherCases {
    static var all: [ConformanceCase] { subscriptions + tokens + users + assets }

    private static func subscribe(_ kind: String, _ subscription: String, _ answer: String) -> Exchange {
        .post(
            "subscriptions/modify", #"{"operations":[{"operationType":"\#(kind)","subscription":\#(subscription)}]}"#,
            200, #"{"subscriptions":[\#(answer)]}"#)
    }

    private static let ofZone =
        #"{"subscriptionID":"s","subscriptionType":"zone","zoneID":{"zoneName":"F"},"notificationInfo":{"shouldSendContentAvailable":true}}"#
    private static let ofZoneAnswered =
        #"{"subscriptionID":"s","subscriptionType":"zone","zoneID":{"zoneName":"F","ownerRecordName":"$user"},"notificationInfo":{"shouldSendContentAvailable":true}}"#

    private static func query(_ id: String, _ type: String, _ events: String) -> String {
        #"{"subscriptionID":"\#(id)","subscriptionType":"query","query":{"recordType":"\#(type)"},"firesOn":\#(events)}"#
    }

    private static func duplicate(_ id: String) -> String {
        #"{"subscriptionID":"\#(id)","serverErrorCode":"INTERNAL_ERROR","reason":"could not find subscription we just created"}"#
    }

    private static let subscriptions: [ConformanceCase] = [
        ConformanceCase(
            "3.8", "a zone subscription, created, listed, looked up", .zone("F"),
            subscribe("create", ofZone, ofZoneAnswered),
            .get("subscriptions/list", 200, #"{"subscriptions":[\#(ofZoneAnswered)]}"#),
            .post("subscriptions/list", "{}", 200, #"{"subscriptions":[\#(ofZoneAnswered)]}"#),
            .post(
                "subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"s"},{"subscriptionID":"none"}]}"#, 200,
                #"{"subscriptions":[\#(ofZoneAnswered),{"subscriptionID":"none","serverErrorCode":"NOT_FOUND","reason":"<string>"}]}"#
            )),
        ConformanceCase(
            "3.8", "creating the same ID again succeeds", .zone("F"), subscribe("create", ofZone, ofZoneAnswered),
            subscribe("create", ofZone, ofZoneAnswered),
            .get("subscriptions/list", 200, #"{"subscriptions":"<1 items>"}"#)),
        ConformanceCase(
            "3.8", "without an ID the server makes one", .zone("F"),
            subscribe(
                "create", #"{"subscriptionType":"zone","zoneID":{"zoneName":"F"}}"#,
                #"{"subscriptionID":"$id","subscriptionType":"zone"}"#),
            .post(
                "subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"$id"}]}"#, 200,
                #"{"subscriptions":[{"subscriptionID":"$id"}]}"#)),
        ConformanceCase(
            "3.8", "a deletion is acknowledged by the ID alone", .zone("F"), subscribe("create", ofZone, "{}"),
            subscribe(
                "delete", #"{"subscriptionID":"s"}"#,
                #"{"subscriptionID":"s","subscriptionType":"<absent>","serverErrorCode":"<absent>"}"#),
            .get("subscriptions/list", 200, #"{"subscriptions":"<0 items>"}"#)),
        ConformanceCase(
            "5", "deleting what is not there",
            subscribe("delete", #"{"subscriptionID":"s"}"#, #"{"subscriptionID":"s","serverErrorCode":"NOT_FOUND"}"#)),
        ConformanceCase(
            "5", "updating what is not there", .zone("F"),
            subscribe("update", ofZone, #"{"subscriptionID":"s","serverErrorCode":"NOT_FOUND"}"#)),
        ConformanceCase(
            "3.8", "an update changes it", .zone("F", "G"), subscribe("create", ofZone, "{}"),
            subscribe(
                "update", #"{"subscriptionID":"s","subscriptionType":"zone","zoneID":{"zoneName":"G"}}"#,
                #"{"subscriptionID":"s","zoneID":{"zoneName":"G"}}"#)),
        ConformanceCase(
            "10.10", "a zone takes its subscriptions with it", .zone("F"), subscribe("create", ofZone, "{}"),
            .post("zones/modify", #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"F"}}}]}"#),
            .get("subscriptions/list", 200, #"{"subscriptions":"<0 items>"}"#)),
        ConformanceCase(
            "10.11", "a database subscription",
            subscribe(
                "create", #"{"subscriptionID":"d","subscriptionType":"database"}"#,
                #"{"subscriptionID":"d","subscriptionType":"database"}"#)),
        ConformanceCase(
            "3.8", "a query subscription keeps its query",
            subscribe(
                "create",
                #"{"subscriptionID":"q","subscriptionType":"query","query":{"recordType":"Note"},"firesOn":["create","delete"],"firesOnce":true}"#,
                #"{"subscriptionID":"q","query":{"recordType":"Note"},"firesOn":["create","delete"],"firesOnce":true}"#)
        ),
        ConformanceCase(
            "3.8", "a query subscription is the only one of its record type and events",
            subscribe("create", query("q", "Note", #"["create","update"]"#), #"{"subscriptionID":"q"}"#),
            subscribe("create", query("r", "Note", #"["update","create"]"#), duplicate("r")),
            subscribe("create", query("q", "Note", #"["create","update"]"#), #"{"serverErrorCode":"<absent>"}"#),
            subscribe("create", query("s", "Note", #"["create"]"#), #"{"serverErrorCode":"<absent>"}"#),
            subscribe("create", query("t", "Other", #"["create"]"#), #"{"serverErrorCode":"<absent>"}"#),
            subscribe("update", query("s", "Note", #"["create","update"]"#), duplicate("s")),
            .get("subscriptions/list", 200, #"{"subscriptions":"<3 items>"}"#)),
        ConformanceCase(
            "3.8", "all events are all of them, named or not",
            subscribe(
                "create", #"{"subscriptionID":"q","subscriptionType":"query","query":{"recordType":"Note"}}"#, "{}"),
            subscribe("create", query("r", "Note", #"["create","update","delete"]"#), duplicate("r"))),
        ConformanceCase(
            "3.8", "a zone that is not there",
            subscribe("create", ofZone, #"{"subscriptionID":"s","serverErrorCode":"ZONE_NOT_FOUND"}"#)),
        ConformanceCase(
            "9", "the default zone can't be subscribed to",
            subscribe(
                "create", #"{"subscriptionID":"s","subscriptionType":"zone","zoneID":{"zoneName":"_defaultZone"}}"#,
                #"{"subscriptionID":"s","serverErrorCode":"BAD_REQUEST"}"#)),
        ConformanceCase(
            "3.8", "a type that nobody knows",
            subscribe(
                "create", #"{"subscriptionID":"s","subscriptionType":"mood"}"#, #"{"serverErrorCode":"BAD_REQUEST"}"#)),
        ConformanceCase(
            "3.8", "a query subscription without a query",
            subscribe(
                "create", #"{"subscriptionID":"s","subscriptionType":"query"}"#, #"{"serverErrorCode":"BAD_REQUEST"}"#)
        ),
        ConformanceCase("3.8", "operations are required", .refused("subscriptions/modify", "{}")),
        ConformanceCase("3.8", "subscriptions are required", .refused("subscriptions/lookup", "{}")),
        ConformanceCase(
            "3.8", "an operation of no kind",
            .refused(
                "subscriptions/modify", #"{"operations":[{"operationType":"explode","subscription":\#(ofZone)}]}"#)),
    ]

    private static func token(_ path: String, _ body: String, _ status: Int, _ answer: String) -> Exchange {
        Exchange(operation: path, body: body, status: status, answer: answer)
    }

    private static let tokens: [ConformanceCase] = ["database", "device"].flatMap { root in
        let path = "/\(root)/1/\(TestServer.container)/development/tokens"
        return [
            ConformanceCase(
                "3.11", "a token is made, and registered again, under /\(root)",
                token(
                    path + "/create", #"{"apnsEnvironment":"development","clientId":"c"}"#, 200,
                    #"{"apnsEnvironment":"development","apnsToken":"$made","webcourierURL":"<has ttl=43200>"}"#),
                token(
                    path + "/register", #"{"apnsEnvironment":"development","apnsToken":"$made"}"#, 200,
                    #"{"apnsToken":"$made","webcourierURL":"<has /courier/>"}"#)),
            ConformanceCase(
                "3.11", "registering needs a token, under /\(root)",
                token(
                    path + "/register", #"{"apnsEnvironment":"development"}"#, 400,
                    #"{"serverErrorCode":"BAD_REQUEST"}"#)),
            ConformanceCase(
                "3.11", "an environment is needed, under /\(root)",
                token(path + "/create", "{}", 400, #"{"serverErrorCode":"BAD_REQUEST"}"#)),
            ConformanceCase(
                "3.11", "an environment that is none, under /\(root)",
                token(path + "/create", #"{"apnsEnvironment":"mars"}"#, 400, #"{"serverErrorCode":"BAD_REQUEST"}"#)),
        ]
    }

    private static let users: [ConformanceCase] = ["public", "private"].flatMap { scope in
        ["users/caller", "users/current"].map { operation in
            ConformanceCase(
                "10.12", "\(operation) in the \(scope) database is bare",
                .init(
                    method: "GET", operation: "/database/1/\(TestServer.container)/development/\(scope)/\(operation)",
                    body: nil, status: 200, answer: #"{"userRecordName":"$user","users":"<absent>"}"#))
        }
    }

    private static let assets: [ConformanceCase] = [
        ConformanceCase(
            "3.10", "a URL for each token", .zone("F"),
            .post(
                "assets/upload",
                #"{"zoneID":{"zoneName":"F"},"tokens":[{"recordType":"File","recordName":"a","fieldName":"content"},{"recordType":"File","recordName":"b","fieldName":"content"}]}"#,
                200,
                #"{"tokens":[{"recordName":"a","fieldName":"content","url":"<has http>"},{"recordName":"b","url":"<has http>"}]}"#
            )),
        ConformanceCase(
            "3.10", "without a name it makes one", .zone("F"),
            .post(
                "assets/upload", #"{"zoneID":{"zoneName":"F"},"tokens":[{"recordType":"File","fieldName":"content"}]}"#,
                200,
                #"{"tokens":[{"recordName":"<string>","url":"<string>"}]}"#)),
        ConformanceCase(
            "10.8", "a missing zone is the error of the whole assets/upload",
            .refused(
                "assets/upload", #"{"zoneID":{"zoneName":"F"},"tokens":[{"recordName":"a","fieldName":"content"}]}"#,
                404,
                "ZONE_NOT_FOUND")),
        ConformanceCase(
            "3.10", "tokens are required", .zone("F"), .refused("assets/upload", #"{"zoneID":{"zoneName":"F"}}"#)),
        ConformanceCase(
            "3.10", "a field is required", .zone("F"),
            .refused("assets/upload", #"{"zoneID":{"zoneName":"F"},"tokens":[{"recordName":"a"}]}"#)),
        ConformanceCase(
            "3.10", "an asset without a receipt is refused", .zone("F"),
            .modify(
                #"{"operationType":"create","record":{"recordType":"File","recordName":"a","fields":{"content":{"type":"ASSETID","value":{"fileChecksum":"AQ==","size":1}}}}}"#,
                #"{"records":[{"recordName":"a","serverErrorCode":"BAD_REQUEST"}]}"#)),
        ConformanceCase(
            "3.10", "a receipt that was made up is refused", .zone("F"),
            .modify(
                #"{"operationType":"create","record":{"recordType":"File","recordName":"a","fields":{"content":{"type":"ASSETID","value":{"receipt":"AAAA","size":1}}}}}"#,
                #"{"records":[{"recordName":"a","serverErrorCode":"BAD_REQUEST"}]}"#)),
        ConformanceCase(
            "3.10", "rereferencing a field without an asset", .zone("F"), .note("a"),
            .post(
                "assets/rereference", #"{"zoneID":{"zoneName":"F"},"assets":[{"recordName":"a","fieldName":"x"}]}"#,
                200,
                #"{"assets":[{"recordName":"a","serverErrorCode":"NOT_FOUND"}]}"#)),
        ConformanceCase(
            "10.8", "rereferencing in a missing zone",
            .refused(
                "assets/rereference", #"{"zoneID":{"zoneName":"F"},"assets":[]}"#, 404, "ZONE_NOT_FOUND")),
    ]
}
