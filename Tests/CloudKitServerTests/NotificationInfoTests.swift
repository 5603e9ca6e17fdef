import CloudKitWire
import Testing

@testable import CloudKitServer

/// What a push says besides that something changed (protocol §3.8, §3.11).
@Suite("Pushes and their subscription's notificationInfo (protocol §3.8, §3.11)")
struct NotificationInfoTests {
    /// Subscribes, and gives the URL of a courier that does not wait.
    private func subscribe(_ server: TestServer, _ subscription: String, _ info: String) async throws -> String {
        let made = try await server.post(
            "subscriptions/modify",
            #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"s",\#(subscription)\#(info)}}]}"#
        )
        #expect(made["subscriptions"][0]["serverErrorCode"].isAbsent, "\(made.text)")
        let reply = try await server.send(
            "POST", "/device/1/\(TestServer.container)/development/tokens/create",
            #"{"apnsEnvironment":"development","clientId":"device"}"#)
        return try #require(reply["webcourierURL"].string)
    }

    private static let ofZone = #""subscriptionType":"zone","zoneID":{"zoneName":"Folder"}"#
    private static let ofQuery = #""subscriptionType":"query","query":{"recordType":"Note"}"#

    private func save(_ server: TestServer, _ name: String, _ fields: String = "{}") async throws {
        let reply = try await server.modify(
            #"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"\#(name)","fields":\#(fields)}}"#
        )
        #expect(reply["records"][0]["serverErrorCode"].isAbsent, "\(reply.text)")
    }

    private func withCourier(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await withServer {
            $0.courierTimeout = .milliseconds(1)
        } _: { server in
            try await server.makeZone()
            try await body(server)
        }
    }

    @Test(
        "The keys of the subscription are those of the push",
        arguments: [
            (#"{"alertBody":"Changed"}"#, #"{"alert":{"body":"Changed"}}"#),
            (
                #"{"alertLocalizationKey":"CHANGED_%@","alertLocalizationArgs":["title"],"alertActionLocalizationKey":"OPEN","alertLaunchImage":"start.png"}"#,
                #"{"alert":{"loc-key":"CHANGED_%@","loc-args":["title"],"action-loc-key":"OPEN","launch-image":"start.png"}}"#
            ),
            (
                #"{"alertBody":"Changed","soundName":"default","category":"CHANGE","shouldSendContentAvailable":true}"#,
                #"{"alert":{"body":"Changed"},"sound":"default","category":"CHANGE","content-available":1}"#
            ),
            (#"{"shouldBadge":true}"#, #"{"badge":1}"#),
            (#"{"shouldBadge":true,"soundName":"","shouldSendContentAvailable":false}"#, #"{"badge":1,"sound":""}"#),
            (#"{"shouldSendContentAvailable":true}"#, #"{"content-available":1}"#),
            (#"{"acme":1}"#, #"{"content-available":1}"#),
        ])
    func keys(info: String, expected: String) async throws {
        try await withCourier { server in
            let url = try await subscribe(server, Self.ofZone, #","notificationInfo":\#(info)"#)
            try await save(server, "a")
            let push = try await server.sendRaw("GET", url, nil)
            #expect(push["aps"].text == expected)
            #expect(push["ck"]["fet"]["sid"].string == "s")
        }
    }

    @Test("Without a notificationInfo a push is silent")
    func silent() async throws {
        try await withCourier { server in
            let url = try await subscribe(server, Self.ofZone, "")
            try await save(server, "a")
            #expect(try await server.sendRaw("GET", url, nil)["aps"].text == #"{"content-available":1}"#)
        }
    }

    @Test("A badge counts each device's pushes, also those that are merged while they wait")
    func badge() async throws {
        try await withCourier { server in
            let url = try await subscribe(server, Self.ofZone, #","notificationInfo":{"shouldBadge":true}"#)
            try await save(server, "a")
            #expect(try await server.sendRaw("GET", url, nil)["aps"]["badge"].int == 1)
            for name in ["b", "c", "d"] { try await save(server, name) }
            #expect(try await server.sendRaw("GET", url, nil)["aps"]["badge"].int == 4)
            #expect(try await server.sendRaw("GET", url, nil).body.isEmpty)
        }
    }

    @Test("A query's push brings the additional fields that the record has, as bare values")
    func additionalFields() async throws {
        try await withCourier { server in
            let url = try await subscribe(
                server, Self.ofQuery,
                #","notificationInfo":{"additionalFields":["title","rank","to"],"alertBody":"New"}"#)
            try await save(
                server, "a",
                #"{"title":{"value":"One"},"rank":{"value":7},"to":{"value":{"recordName":"b","action":"NONE"}},"other":{"value":1}}"#
            )
            let push = try await server.sendRaw("GET", url, nil)
            #expect(push["ck"]["qry"]["af"].text == #"{"rank":7,"title":"One","to":"b"}"#)
            #expect(push["ck"]["qry"]["rid"].string == "a" && push["aps"]["alert"]["body"].string == "New")

            try await save(server, "b", #"{"title":{"value":"secret","type":"STRING"},"rank":{"value":null}}"#)
            #expect(
                try await server.sendRaw("GET", url, nil)["ck"]["qry"]["af"].text == #"{"title":"secret"}"#)
            _ = try await server.modify(#"{"operationType":"forceDelete","record":{"recordName":"a"}}"#)
            let gone = try await server.sendRaw("GET", url, nil)["ck"]["qry"]
            #expect(gone["fo"].int == 3 && gone["af"].isAbsent)
        }
    }

    @Test("Encrypted fields, assets, bytes and lists are in no push")
    func privateFields() async throws {
        try await withCourier { server in
            let url = try await subscribe(
                server, Self.ofQuery, #","notificationInfo":{"additionalFields":["secret","data","tags"]}"#)
            try await save(
                server, "a",
                #"{"secret":{"value":"x","type":"STRING","isEncrypted":true},"data":{"value":"AA==","type":"BYTES"},"tags":{"value":["x"]}}"#
            )
            let push = try await server.sendRaw("GET", url, nil)
            #expect(push["ck"]["qry"]["rid"].string == "a" && push["ck"]["qry"]["af"].isAbsent)
        }
    }

    @Test("A push of more than 4,096 bytes leaves the additional fields out, and says so")
    func pruned() async throws {
        try await withCourier { server in
            let url = try await subscribe(
                server, Self.ofQuery, #","notificationInfo":{"additionalFields":["title"],"alertBody":"New"}"#)
            try await save(server, "a", #"{"title":{"value":"\#(String(repeating: "x", count: 5000))"}}"#)
            let push = try await server.sendRaw("GET", url, nil)
            #expect(push.body.count < 4096 && push["ck"]["p"].int == 1)
            #expect(push["ck"]["qry"]["af"].isAbsent && push["aps"]["alert"]["body"].string == "New")
        }
    }

    @Test("A push can bring three additional fields, no more")
    func tooManyFields() async throws {
        try await withServer { server in
            for (names, code) in [(#""a","b","c""#, nil), (#""a","b","c","d""#, "BAD_REQUEST")] {
                let made = try await server.post(
                    "subscriptions/modify",
                    #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"s",\#(Self.ofQuery),"notificationInfo":{"additionalFields":[\#(names)]}}}]}"#
                )
                #expect(made["subscriptions"][0]["serverErrorCode"].string == code)
            }
        }
    }
}
