import CloudKitQueries
import CloudKitWire
import GRDB
import Testing

@testable import CloudKitServer
@testable import WireCoding

@Suite("Subscriptions, push tokens and the courier (protocol §3.8, §3.11, §10.2, §10.11)")
struct PushTests {
    private let zoneSubscription =
        #"{"operationType":"create","subscription":{"subscriptionID":"zonefolder-Folder","subscriptionType":"zone","zoneID":{"zoneName":"Folder"},"notificationInfo":{"shouldSendContentAvailable":true}}}"#

    private func subscribe(_ server: TestServer, _ operations: String) async throws -> TestServer.Reply {
        try await server.post("subscriptions/modify", #"{"operations":[\#(operations)]}"#)
    }

    private func courier(_ server: TestServer, client: String = "device") async throws -> String {
        let reply = try await server.send(
            "POST", "/device/1/\(TestServer.container)/development/tokens/create",
            #"{"apnsEnvironment":"development","clientId":"\#(client)"}"#)
        return try #require(reply["webcourierURL"].string)
    }

    private func save(_ server: TestServer, _ name: String) async throws {
        _ = try await server.modify(
            #"{"operationType":"create","record":{"recordType":"Note","recordName":"\#(name)"}}"#)
    }

    @Test("Subscriptions are created, created again, listed, looked up and deleted")
    func lifecycle() async throws {
        try await withServer { server in
            try await server.makeZone()
            for _ in 0..<2 {
                let made = try await subscribe(server, zoneSubscription)["subscriptions"][0]
                #expect(
                    made["subscriptionID"].string == "zonefolder-Folder" && made["subscriptionType"].string == "zone")
                #expect(made["zoneID"]["ownerRecordName"].string == server.user.userRecordName)
                #expect(made["notificationInfo"]["shouldSendContentAvailable"].bool == true)
            }
            let others = try await subscribe(
                server,
                #"""
                {"operationType":"create","subscription":{"subscriptionType":"database","notificationInfo":{"shouldSendContentAvailable":true}}},
                {"operationType":"create","subscription":{"subscriptionID":"q","subscriptionType":"query","firesOn":["create"],"query":{"recordType":"Note","filterBy":[]}}},
                {"operationType":"create","subscription":{"subscriptionID":"z","subscriptionType":"zone","zoneID":{"zoneName":"Nope"}}},
                {"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"strange"}},
                {"operationType":"delete","subscription":{"subscriptionID":"never"}}
                """#)
            #expect(others.status == 200)
            #expect(
                others["subscriptions"].items.map { $0["serverErrorCode"].string }
                    == [nil, nil, "ZONE_NOT_FOUND", "BAD_REQUEST", "NOT_FOUND"])
            #expect(others["subscriptions"][2]["subscriptionID"].string == "z")
            for list in [try await server.get("subscriptions/list"), try await server.post("subscriptions/list")] {
                #expect(list["subscriptions"].count == 3)
            }
            let found = try await server.post(
                "subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"q"},{"subscriptionID":"never"}]}"#)
            #expect(found["subscriptions"][0]["query"]["recordType"].string == "Note")
            #expect(found["subscriptions"][1]["serverErrorCode"].string == "NOT_FOUND")
            let deleted = try await subscribe(
                server, #"{"operationType":"delete","subscription":{"subscriptionID":"q"}}"#)
            #expect(deleted["subscriptions"][0].text == #"{"subscriptionID":"q"}"#)

            _ = try await server.post(
                "zones/modify", #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"Folder"}}}]}"#)
            #expect(
                try await server.get("subscriptions/list")["subscriptions"].items.map { $0["subscriptionType"].string }
                    == ["database"])
        }
    }

    @Test("Push tokens are made and registered under both paths", arguments: ["device", "database"])
    func tokens(root: String) async throws {
        try await withServer { server in
            let path = "/\(root)/1/\(TestServer.container)/development/tokens/"
            let made = try await server.send(
                "POST", path + "create", #"{"apnsEnvironment":"development","clientId":"7533fb3f"}"#)
            #expect(made.status == 200 && made["apnsEnvironment"].string == "development")
            #expect(made["webcourierURL"].string?.contains("ttl=43200") == true)
            let registered = try await server.send(
                "POST", path + "register",
                #"{"apnsEnvironment":"development","apnsToken":"\#(made["apnsToken"].string!)","clientId":"7533fb3f"}"#)
            #expect(registered["webcourierURL"].string == made["webcourierURL"].string)
            #expect(
                try await server.send("POST", path + "register", #"{"apnsEnvironment":"development"}"#).status == 400)
            #expect(try await server.send("POST", path + "create", #"{"apnsEnvironment":"elsewhere"}"#).status == 400)
        }
    }

    @Test("A save answers the courier that waits, with the protocol's payload, the writer's own too")
    func wakes() async throws {
        let (received, arrivals) = AsyncStream.makeStream(of: Void.self)
        try await withServer {
            $0.observe = { if case .received(let request) = $0, request.operation == "courier" { arrivals.yield() } }
        } _: { server in
            try await server.makeZone()
            _ = try await subscribe(server, zoneSubscription)
            let url = try await courier(server)
            async let waiting = server.sendRaw("GET", url, nil)
            for await _ in received { break }
            try await save(server, "a")
            let push = try await waiting
            #expect(push.status == 200)
            #expect(push["aps"]["content-available"].int == 1)
            #expect(push["ck"]["ce"].int == 2 && push["ck"]["cid"].string == TestServer.container)
            #expect(push["ck"]["ckuserid"].string == server.user.userRecordName && push["ck"]["nid"].string != nil)
            let target = push["ck"]["fet"]
            #expect(target["sid"].string == "zonefolder-Folder" && target["zid"].string == "Folder")
            #expect(target["zoid"].string == server.user.userRecordName && target["dbs"].int == 2)
        }
    }

    @Test("Notifications wait in order, one for each GET, and equal ones are merged")
    func order() async throws {
        try await withServer {
            $0.courierTimeout = .milliseconds(1)
        } _: { server in
            try await server.makeZone()
            try await server.makeZone("Other")
            let both = zoneSubscription + "," + zoneSubscription.replacing("Folder", with: "Other")
            _ = try await subscribe(
                server,
                both
                    + #",{"operationType":"create","subscription":{"subscriptionID":"db","subscriptionType":"database"}}"#
            )
            let url = try await courier(server)
            let second = try await courier(server, client: "another device")
            for name in ["a", "b", "c"] { try await save(server, name) }
            _ = try await server.modify(#"{"operationType":"create","record":{"recordType":"Note"}}"#, zone: "Other")
            for url in [url, second] {
                var subscriptions: [String?] = []
                while true {
                    let push = try await server.sendRaw("GET", url, nil)
                    #expect(push.status == 200)
                    if push.body.isEmpty { break }
                    subscriptions.append(push["ck"]["fet"]["sid"].string ?? push["ck"]["met"]["sid"].string)
                }
                #expect(subscriptions == ["db", "zonefolder-Folder", "zonefolder-Other"])
            }
        }
    }

    @Test("A device's new token ends its old one; unknown and expired tokens are gone")
    func stale() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) {
            $0.courierTimeout = .milliseconds(1)
        } _: { server in
            let old = try await courier(server)
            let new = try await courier(server)
            #expect(try await server.sendRaw("GET", old, nil).status == 410)
            #expect(try await server.sendRaw("GET", new, nil).status == 200)
            clock.advance(seconds: 43_200)
            #expect(try await server.sendRaw("GET", new, nil).status == 410)
            #expect(try await server.sendRaw("GET", "/courier/aps?tok=nonsense", nil).status == 410)
        }
    }

    @Test("A failed atomic request notifies nobody, nor does another user's save")
    func silence() async throws {
        try await withServer {
            $0.courierTimeout = .milliseconds(1)
        } _: { server in
            try await server.makeZone()
            _ = try await subscribe(server, zoneSubscription)
            let url = try await courier(server)
            _ = try await server.modify(
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"a"}},{"operationType":"update","record":{"recordName":"b","recordChangeTag":"1"}}"#,
                atomic: "")
            let bob = TestServer(
                server: server.server, port: server.port,
                user: try server.server.store.addUser(
                    name: "bob", container: TestServer.container, environment: "development"))
            try await bob.makeZone()
            try await save(bob, "a")
            #expect(try await server.sendRaw("GET", url, nil).body.isEmpty)
        }
    }

    @Test("A newer request takes the older one's place, and closing answers all")
    func courierQueues() async {
        let courier = Courier(now: { 0 })
        let push = Push(
            device: "d", notification: PushNotification(container: "c", notificationID: "1", userRecordName: nil))
        async let first = courier.next(for: "d", within: .seconds(60))
        async let second = courier.next(for: "d", within: .seconds(60))
        // Whichever came first was answered with nothing by the other; one of them is left for the push.
        courier.deliver([push])
        async let third = courier.next(for: "d", within: .seconds(60))
        courier.close()
        let answers = await [first, second, third].compactMap { $0 }
        #expect(answers == [push.notification])
        #expect(await courier.next(for: "d", within: .seconds(60)) == nil)
    }

    @Test("A request is answered when its time is up, however short that is")
    func briefRequests() async {
        let courier = Courier(now: { 0 })
        await withTaskGroup(of: Bool.self) { requests in
            for number in 0..<200 {
                requests.addTask { await courier.next(for: "device \(number)", within: .zero) == nil }
            }
            for await isUnanswered in requests { #expect(isUnanswered) }
        }
        #expect(courier.count == 0)
    }

    @Test("A client that hung up swallows no push: the next one to ask gets it")
    func hangUp() async throws {
        let (events, sink) = AsyncStream.makeStream(of: RequestEvent.self)
        try await withServer {
            $0.courierTimeout = .seconds(600)
            $0.observe = { sink.yield($0) }
        } _: { server in
            try await server.makeZone()
            _ = try await subscribe(server, zoneSubscription)
            let url = try await courier(server)
            let waiting = Task { try await server.sendRaw("GET", url, nil) }
            var isParked = false
            for await event in events {
                if case .received(let request) = event, request.operation == "courier" {
                    isParked = true
                    waiting.cancel()
                }
                if case .answered(let request, _) = event, request.operation == "courier" { break }
            }
            #expect(isParked)
            try await save(server, "a")
            #expect(try await server.sendRaw("GET", url, nil)["ck"]["fet"]["zid"].string == "Folder")
        }
    }

    @Test("A graceful shutdown answers couriers at once")
    func shutdown() async throws {
        let (received, arrivals) = AsyncStream.makeStream(of: Void.self)
        let waiting = try await withServer {
            $0.courierTimeout = .seconds(600)
            $0.observe = { if case .received(let request) = $0, request.operation == "courier" { arrivals.yield() } }
        } _: { server in
            let url = try await courier(server)
            let waiting = Task { try await server.sendRaw("GET", url, nil) }
            for await _ in received { break }
            return waiting
        }
        let reply = try await waiting.value
        #expect(reply.status == 200 && reply.body.isEmpty)
    }

    @Test(
        "A query subscription fires for the zone that it names, for all zones, or for the default zone",
        arguments: [
            (#""zoneID":{"zoneName":"Folder"}"#, ["Folder"]), (#""zoneWide":true"#, ["_defaultZone", "Folder"]),
            (#""zoneWide":false"#, ["_defaultZone"]), (#""firesOnce":false"#, ["_defaultZone", "Folder"]),
            (#""zoneWide":true,"zoneID":{"zoneName":"Folder"}"#, ["Folder"]),
        ])
    func zoneWide(keys: String, zones: [String]) async throws {
        try await withServer {
            $0.courierTimeout = .milliseconds(1)
        } _: { server in
            try await server.makeZone()
            let made = try await subscribe(
                server,
                #"{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"query","query":{"recordType":"Note"},\#(keys)}}"#
            )
            #expect(made["subscriptions"][0]["subscriptionID"].string == "s", "\(made.text)")
            let url = try await courier(server)
            for zone in ["_defaultZone", "Folder"] {
                _ = try await server.modify(
                    #"{"operationType":"create","record":{"recordType":"Note","recordName":"n"}}"#, zone: zone)
            }
            var told: [String?] = []
            while told.count < 5 {
                let push = try await server.sendRaw("GET", url, nil)
                if push.body.isEmpty { break }
                told.append(push["ck"]["qry"]["zid"].string)
            }
            #expect(told == zones)
        }
    }

    @Test(
        "A subscription has at most 65,536 bytes, so that one answer can have all of them", arguments: [60_000, 70_000])
    func largeSubscriptions(size: Int) async throws {
        try await withServer { server in
            let text = String(repeating: "x", count: size)
            let made = try await subscribe(
                server,
                #"{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"database","notificationInfo":{"alertBody":"\#(text)"}}}"#
            )
            let isSmall = size < 65_536
            #expect(made["subscriptions"][0]["serverErrorCode"].string == (isSmall ? nil : "BAD_REQUEST"))
            #expect(try await server.get("subscriptions/list")["subscriptions"].count == (isSmall ? 1 : 0))
        }
    }

    @Test("A queue is forgotten where it is empty, and where nobody has asked for it in a push token's lifetime")
    func forgottenQueues() async {
        let clock = ManualClock()
        let courier = Courier(now: { clock.now })
        func push(_ device: String) -> Push {
            Push(
                device: device,
                notification: PushNotification(container: "c", notificationID: "1", userRecordName: nil))
        }
        courier.deliver([push("gone"), push("slow")])
        #expect(courier.count == 2)
        clock.advance(seconds: 43_000)
        #expect(await courier.next(for: "slow", within: .seconds(60)) != nil)
        #expect(courier.count == 1)
        courier.deliver([push("slow")])
        #expect(courier.count == 2)
        clock.advance(seconds: 3_600)
        courier.deliver([push("other")])
        #expect(courier.count == 2)
        #expect(await courier.next(for: "slow", within: .seconds(60)) != nil)
        #expect(await courier.next(for: "other", within: .seconds(60)) != nil)
        #expect(courier.count == 0)
    }

    @Test("A save is compared with the subscriptions to its own record type, and kept for nobody else")
    func watchedTypes() throws {
        let store = try RecordStore(writer: DatabaseQueue(), surroundings: ManualClock().surroundings)
        let user = try store.addUser(name: "ada", container: "iCloud.example", environment: "development")
        let caller = try #require(
            try store.caller(
                userRecordName: user.userRecordName, container: "iCloud.example", environment: "development"))
        var subscription = Subscription(subscriptionID: "s", subscriptionType: "query")
        subscription.query = Query(recordType: "Note").encoded()
        _ = try store.modifySubscriptions(
            SubscriptionsModifyRequest(operations: [SubscriptionOperation(.create, subscription)]), as: caller)
        let request = RecordsModifyRequest(
            operations: [], zoneID: ZoneID(zoneName: ZoneID.defaultZoneName), atomic: nil)
        let events = try store.write { db, _ in
            var transaction = try RecordTransaction(store, request, caller, db)
            for type in ["Note", "Other", "Note"] {
                _ = try transaction.apply(
                    RecordOperation(.create, CloudKitWire.Record(recordName: nil, recordType: type)))
            }
            return transaction.events.all.map(\.record.type)
        }
        #expect(events == ["Note", "Note"])
    }
}
