import CloudKitClient
import CloudKitQueries
import CloudKitWire
import Synchronization
import Testing

@Suite("Subscriptions, push tokens, the courier, and the observer (protocol §3.8, §3.11)")
struct PushRequestTests {
    @Test("A silent zone subscription is asked for with shouldSendContentAvailable alone (S0.10)")
    func subscribe() async throws {
        let transport = ScriptedTransport(
            .json(#"{ "subscriptions": [ { "subscriptionID": "zonefolder-Folder", "subscriptionType": "zone" } ] }"#))
        var subscription = Subscription(subscriptionID: "zonefolder-Folder", subscriptionType: "zone", zoneID: folder)
        subscription.notificationInfo = .silent
        let results = try await database(transport).modifySubscriptions([SubscriptionOperation(.create, subscription)])
        #expect(results.count == 1)
        #expect(transport.requests[0].text.contains(#""notificationInfo":{"shouldSendContentAvailable":true}"#))
    }

    @Test("Push tokens go to the device path, with the environment's name")
    func pushToken() async throws {
        let transport = ScriptedTransport(
            .json(
                #"{ "apnsEnvironment": "development", "apnsToken": "QUJD", "webcourierURL": "https://c/aps?tok=QUJD" }"#
            ))
        let database = database(transport)
        let token = try await database.createPushToken(clientID: "device-1")
        _ = try await database.registerPushToken(token.apnsToken, clientID: "device-1")
        #expect(token.webcourierURL == "https://c/aps?tok=QUJD")
        #expect(transport.requests[0].url.contains("/device/1/iCloud.example/development/tokens/create?"))
        #expect(transport.requests[1].text.contains(#""apnsToken":"QUJD""#))
    }

    @Test(
        "The courier is asked verbatim, without credentials; an empty answer is a keep-alive", arguments: ["", " \r\n"])
    func keepAlive(body: String) async throws {
        let transport = ScriptedTransport(.json(body))
        let push = try await database(transport).pollCourier("https://courier.example:443/aps?tok=QUJD&ttl=43200")
        #expect(push == nil)
        #expect(transport.requests[0].url == "https://courier.example:443/aps?tok=QUJD&ttl=43200")
        #expect(transport.requests[0].lane == .courier)
    }

    @Test("A courier that answers HTML is an error: polling on at once would be a storm")
    func courierStorm() async {
        let transport = ScriptedTransport(.json("<html>Log in to this network</html>"))
        let error = await failure { () throws(CloudKitError) in try await database(transport).pollCourier("http://c") }
        #expect(error?.code == .unexpectedAnswer)
    }

    @Test("The observer is told of every request, also of one that failed")
    func observer() async throws {
        let seen = ObservationLog()
        let transport = ScriptedTransport(.json("", status: 503), .json(#"{ "zones": [] }"#))
        let database = database(transport, onRequest: { seen.append($0) })
        _ = await failure { () throws(CloudKitError) in try await database.listZones() }
        _ = try await database.lookUpZones([folder])
        #expect(seen.all.map(\.operation) == [.zonesList, .zonesLookup])
        #expect(seen.all.map(\.status) == [503, 200])
        #expect(seen.all[1].requestBytes == Int64(transport.requests[1].text.utf8.count))
        #expect(seen.all[1].responseBytes == 15)
    }
}

/// What an observer was told.
private final class ObservationLog: Sendable {
    private let observations = Mutex<[RequestObservation]>([])
    var all: [RequestObservation] { observations.withLock { $0 } }
    func append(_ observation: RequestObservation) { observations.withLock { $0.append(observation) } }
}
