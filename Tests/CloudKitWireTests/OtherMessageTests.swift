import CloudKitQueries
import CloudKitWire
import Testing
import WireCoding

@Suite("Messages about errors, users, assets, subscriptions and pushes (protocol §2.1, §3.8 to §3.11, §5)")
struct OtherMessageTests {
    static let fixtures = [
        Fixture(
            "a request that needs a user",
            #"""
            { "serverErrorCode": "AUTHENTICATION_REQUIRED", "reason": "request needs authorization", "uuid": "6f0b",
              "redirectURL": "https://idmsa.example/auth?oauth_token=x" }
            """#,
            {
                var error = ErrorDictionary(.authenticationRequired, reason: "request needs authorization")
                (error.uuid, error.redirectURL) = ("6f0b", "https://idmsa.example/auth?oauth_token=x")
                return error
            }()),
        Fixture(
            "a throttled database",
            #"{ "serverErrorCode": "THROTTLED", "reason": "Database throttled, retry later", "uuid": "1", "retryAfter": 110207 }"#,
            {
                var error = ErrorDictionary(.throttled, reason: "Database throttled, retry later")
                (error.uuid, error.retryAfter) = ("1", 110207)
                return error
            }()),
        Fixture(
            "users/caller, answer",
            #"{"userRecordName": "_0123456789abcdef0123456789abcdef", "nameComponents": {"givenName": "Ada"}}"#,
            {
                var user = UserIdentity(userRecordName: "_0123456789abcdef0123456789abcdef")
                user.givenName = "Ada"
                return user
            }()),
        Fixture(
            "users/caller, answer in a list",
            #"{"users": [{"userRecordName": "_01", "nameComponents": null, "lookupInfo": {}}]}"#,
            UserIdentity(userRecordName: "_01"), written: #"{"userRecordName":"_01"}"#),
        Fixture(
            "assets/upload, request",
            #"{ "zoneID": { "zoneName": "Folder" }, "tokens": [ { "recordType": "File", "recordName": "img%2Fa.png", "fieldName": "content" } ] }"#,
            AssetsUploadRequest(
                zoneID: ZoneID(zoneName: "Folder"),
                tokens: [AssetToken(recordType: "File", recordName: "img%2Fa.png", fieldName: "content")])),
        Fixture(
            "assets/upload, answer",
            #"{ "tokens": [ { "recordName": "img%2Fa.png", "fieldName": "content", "url": "https://cvws.example:443/singleFileUpload?tk=a&ref=b" } ] }"#,
            AssetsUploadResponse(tokens: [
                AssetToken(
                    recordType: nil, recordName: "img%2Fa.png", fieldName: "content",
                    url: "https://cvws.example:443/singleFileUpload?tk=a&ref=b")
            ])),
        Fixture(
            "the content host's answer",
            #"{ "singleFile": { "fileChecksum": "AX4c", "size": 48213, "receipt": "A0d", "wrappingKey": "lx8F==", "referenceChecksum": "AaXi" } }"#,
            SingleFileResponse(
                singleFile: Asset(
                    fileChecksum: "AX4c", size: 48213, receipt: "A0d", wrappingKey: "lx8F==",
                    referenceChecksum: "AaXi"))),
        Fixture(
            "assets/rereference, request",
            #"{ "zoneID": { "zoneName": "Folder" }, "assets": [ { "recordName": "a", "fieldName": "content" } ] }"#,
            AssetsRereferenceRequest(
                zoneID: ZoneID(zoneName: "Folder"),
                assets: [AssetsRereferenceRequest.Source(recordName: "a", fieldName: "content")])),
        Fixture(
            "assets/rereference, answer",
            #"{ "assets": [ { "fileChecksum": "AX4c", "receipt": "r" }, { "recordName": "b", "serverErrorCode": "NOT_FOUND" } ] }"#,
            {
                var error = ErrorDictionary(.notFound)
                error.recordName = "b"
                return AssetsRereferenceResponse(assets: [
                    .success(Asset(fileChecksum: "AX4c", receipt: "r")), .failure(error),
                ])
            }()),
        Fixture(
            "subscriptions/modify, request",
            #"""
            { "operations": [ { "operationType": "create", "subscription": {
                "subscriptionID": "zonefolder-Folder", "subscriptionType": "zone", "zoneID": { "zoneName": "Folder" },
                "notificationInfo": { "shouldSendContentAvailable": true } } } ] }
            """#,
            {
                var subscription = Subscription(
                    subscriptionID: "zonefolder-Folder", subscriptionType: "zone", zoneID: ZoneID(zoneName: "Folder"))
                subscription.notificationInfo = .silent
                return SubscriptionsModifyRequest(operations: [SubscriptionOperation(.create, subscription)])
            }()),
        Fixture(
            "subscriptions/modify, answers",
            #"""
            { "subscriptions": [
                { "subscriptionID": "q", "subscriptionType": "query", "zoneWide": true, "firesOn": ["create", "delete"], "firesOnce": false,
                  "query": {"recordType":"Note","filterBy":[]},
                  "notificationInfo": { "shouldBadge": true, "alertBody": "b", "alertLocalizationArgs": ["x"], "soundName": "s", "category": "c", "acme": {"x":1} } },
                { "subscriptionID": "gone" },
                { "subscriptionID": "bad", "serverErrorCode": "INTERNAL_ERROR", "reason": "r" } ] }
            """#,
            {
                var query = Subscription(subscriptionID: "q", subscriptionType: "query")
                (query.zoneWide, query.firesOn, query.firesOnce) = (true, ["create", "delete"], false)
                query.query = Array(#"{"recordType":"Note","filterBy":[]}"#.utf8)
                var info = NotificationInfo()
                (info.shouldBadge, info.alertBody, info.soundName) = (true, "b", "s")
                (info.alertLocalizationArgs, info.category) = (["x"], "c")
                info.others = ["acme": Array(#"{"x":1}"#.utf8)]
                query.notificationInfo = info
                var error = ErrorDictionary(.internalError, reason: "r")
                error.subscriptionID = "bad"
                return SubscriptionsResponse(subscriptions: [
                    .success(query), .success(Subscription(subscriptionID: "gone", subscriptionType: "")),
                    .failure(error),
                ])
            }()),
        Fixture(
            "subscriptions/lookup, request", #"{"subscriptions": [{"subscriptionID": "a"}, {"subscriptionID": "b"}]}"#,
            SubscriptionsLookupRequest(subscriptionIDs: ["a", "b"])),
        Fixture(
            "tokens/create, request", #"{ "apnsEnvironment": "development", "clientId": "7533fb3f" }"#,
            PushTokenRequest(apnsEnvironment: "development", clientId: "7533fb3f")),
        Fixture(
            "tokens/create, answer",
            #"{ "apnsEnvironment": "development", "apnsToken": "QUJD", "webcourierURL": "https://webcourier.example:443/aps?tok=QUJD&ttl=43200" }"#,
            PushTokenResponse(
                apnsEnvironment: "development", apnsToken: "QUJD",
                webcourierURL: "https://webcourier.example:443/aps?tok=QUJD&ttl=43200")),
        Fixture(
            "a push of a zone subscription",
            #"""
            { "aps": { "content-available": 1 },
              "ck": { "ce": 2, "cid": "iCloud.example", "nid": "b1d4", "ckuserid": "_0123ef",
                      "fet": { "sid": "zonefolder-Folder", "zid": "Folder", "zoid": "_0123ef", "dbs": 2 } } }
            """#,
            {
                var push = PushNotification(
                    container: "iCloud.example", notificationID: "b1d4", userRecordName: "_0123ef")
                push.isContentAvailable = true
                push.zone = PushNotification.Target(
                    subscriptionID: "zonefolder-Folder", zoneName: "Folder", zoneOwner: "_0123ef", databaseScope: 2)
                return push
            }()),
        Fixture(
            "a push of a database subscription",
            #"{"aps":{"content-available":1},"ck":{"ce":2,"cid":"c","nid":"n","ckuserid":"u","met":{"sid":"s","dbs":3}}}"#,
            {
                var push = PushNotification(container: "c", notificationID: "n", userRecordName: "u")
                push.isContentAvailable = true
                push.database = PushNotification.Target(subscriptionID: "s", databaseScope: 3)
                return push
            }()),
    ]

    @Test("A push that says something is read and written as it is")
    func loudPush() throws {
        let text =
            #"{"aps":{"alert":{"body":"b","loc-key":"k","loc-args":["x"],"action-loc-key":"a","launch-image":"i"},"badge":3,"sound":"s","category":"c"},"ck":{"ce":2,"cid":"c","nid":"n","ckuserid":"u","p":1,"qry":{"sid":"q","rid":"r","fo":2,"af":{"rank":7,"title":"t"}}}}"#
        let push: PushNotification = try decode(text)
        #expect(String(decoding: push.encoded(), as: UTF8.self) == text)
        #expect(push.query?.additionalFields.keys.sorted() == ["rank", "title"] && push.isPruned)
        let short: PushNotification = try decode(#"{"aps":{"alert":"b"}}"#)
        #expect(short.alert == PushNotification.Alert(body: "b") && !short.isContentAvailable)
    }

    @Test("Each message is read and written as described", arguments: fixtures)
    func fixture(_ fixture: Fixture) throws {
        try fixture.check()
    }

    @Test(
        "A push of any shape is taken for a hint",
        arguments: [
            "1", "[]", "null", "{}", #"{"ck":1}"#, #"{"ck":{"cid":7,"nid":{},"fet":[],"met":"x","qry":null}}"#,
            #"{"aps":"x","acme":{}}"#,
        ])
    func foreignPushes(_ source: String) throws {
        let push: PushNotification = try decode(source)
        #expect(push == PushNotification(container: nil, notificationID: nil, userRecordName: nil))
    }

    @Test("A push's malformed parts are passed over, the others kept")
    func malformedPushParts() throws {
        let push: PushNotification = try decode(#"{"ck":{"cid":"c","fet":{"sid":1,"zid":"Z","dbs":"2"}}}"#)
        #expect(push.container == "c")
        #expect(push.zone == PushNotification.Target(subscriptionID: nil, zoneName: "Z"))
    }

    @Test(
        "What is wrong is named",
        arguments: [
            (#"{"users":[]}"#, "'users' must be a list of one user"),
            (#"{"users":[{}]}"#, "users[0]: missing required field 'userRecordName'"),
            (
                #"{"userRecordName":"u","nameComponents":{"givenName":1}}"#,
                "nameComponents: 'givenName' must be a string"
            ),
            ("{}", "missing required field 'userRecordName'"),
        ])
    func refusals(_ source: String, message: String) throws {
        let error = try #require(throws: WireError.self) { try decode(source, as: UserIdentity.self) }
        #expect(error.message == message)
    }

    @Test("An error without its code is none")
    func errorWithoutCode() {
        #expect(throws: WireError("missing required field 'serverErrorCode'")) {
            try decode(#"{"reason":"x"}"#, as: ErrorDictionary.self)
        }
    }
}
