import CloudKitClient
import CloudKitWire
import FolderControl
import StateStorage
import Testing

@testable import CloudKitQueries
@testable import FolderSettings
@testable import RemoteZone
@testable import SessionCore
@testable import StateRows
@testable import SyncEngine
@testable import ZoneFetching

/// Account, zone and subscription come before anything else (seed 000, "Initialisation").
@Suite("Setting up", .timeLimit(.minutes(30)))
struct SetupTests {
    @Test(
        "A first start goes account, zone, subscription, database changes, zone changes, and only then sends (S0.2, S0.11, S0.31)"
    )
    func order() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write(#"{"title": "one"}"#, to: "Note/one.json")
            try laptop.write("bytes", to: "bytes.bin")
            try await laptop.sync()
            var order: [String] = []
            for operation in laptop.network.takeOperations() where !order.contains(operation) {
                order.append(operation)
            }
            let steps = [
                "users/caller", "zones/modify", "subscriptions/modify", "changes/database", "changes/zone",
                "records/modify",
            ]
            #expect(order.filter { steps.contains($0) } == steps, "\(order)")
            // The bytes of a plain file go before its record, and after the first fetch.
            let fetch = try #require(order.firstIndex(of: "changes/zone"))
            for operation in ["assets/upload", "upload"] {
                #expect(try #require(order.firstIndex(of: operation)) > fetch, "\(order)")
            }
            try laptop.close()
        }
    }

    @Test(
        "While the zone cannot be made, nothing is fetched or sent; once it can, all goes by itself (S0.7, S0.8, S0.31)"
    )
    func zoneRefused() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("bytes", to: "a.txt")
            for fate: FaultyNetwork.Fate in [
                .lostOnTheWay, .answered(.refusal("INTERNAL_ERROR", status: 500)),
                .answered(.refusal("ZONE_BUSY", status: 503)), .answerLost,
            ] {
                laptop.network.decide { FaultyNetwork.operation(of: $0) == "zones/modify" ? fate : .delivered }
                _ = laptop.network.takeOperations()
                laptop.pass(.seconds(600))
                await laptop.settle()
                let operations = Set(laptop.network.takeOperations())
                #expect(operations.contains("zones/modify"), "\(fate)")
                #expect(operations.isSubset(of: ["users/caller", "zones/modify"]), "\(fate): \(operations)")
                #expect(await !laptop.session.zoneFacts.created, "\(fate)")
            }
            // The last request was carried out, so the next one finds the zone there: that is success.
            laptop.network.decide { _ in .delivered }
            laptop.pass(.seconds(600))
            try await laptop.sync()
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }

    @Test("Two devices that make the same zone at once both succeed (S0.7)")
    func zoneAtOnce() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("laptop", to: "a.txt")
            try desk.write("desk", to: "b.txt")
            // What the other one made is there already when this one's request comes.
            let other = await desk.session.environment.database
            laptop.network.decide { request in
                guard FaultyNetwork.operation(of: request) == "zones/modify" else { return .delivered }
                return .answeredAfter(
                    { _ = try await other.modifyZones([ZoneOperation(.create, ZoneID(zoneName: "Notes"))]) },
                    .refusal("EXISTS", status: 409))
            }
            await laptop.settle()
            laptop.network.decide { _ in .delivered }
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["a.txt": "laptop", "b.txt": "desk"])
        }
    }

    @Test(
        "That zone and subscription are there is remembered only once the server said so, and each by itself (S0.3, S0.4)"
    )
    func flags() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            laptop.network.decide {
                FaultyNetwork.operation(of: $0) == "subscriptions/modify" ? .lostOnTheWay : .delivered
            }
            await laptop.settle()
            #expect(await laptop.session.zoneFacts.created)
            #expect(await laptop.session.facts.subscription == nil)
            // A new process asks for what is missing, and for no more.
            laptop.network.decide { _ in .delivered }
            try laptop.restart()
            _ = laptop.network.takeOperations()
            try await laptop.sync()
            var operations = laptop.network.takeOperations()
            #expect(operations.count { $0 == "subscriptions/modify" } == 1)
            #expect(!operations.contains("zones/modify"))
            try laptop.restart()
            try await laptop.sync()
            operations = laptop.network.takeOperations()
            #expect(!operations.contains("zones/modify") && !operations.contains("subscriptions/modify"))
            try laptop.close()
        }
    }

    @Test("The facts are of one container, environment, database and zone: another one is made ready anew (S0.4, S3.4)")
    func factsOfOneZone() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("bytes", to: "a.txt")
            try await laptop.sync()
            #expect(await laptop.session.zoneFacts.token != nil)
            try laptop.configure { $0.zone = "Other" }
            #expect(await !laptop.session.zoneFacts.created)
            #expect(await laptop.session.zoneFacts.token == nil)
            #expect(await laptop.session.facts.databaseToken == nil)
            _ = laptop.network.takeOperations()
            await laptop.settle()
            #expect(laptop.network.takeOperations().contains("zones/modify"))
            try laptop.close()
        }
    }

    @Test("The loss of the zone takes the fact of its subscription along: both are made anew (S0.4, S0.30)")
    func factsOfLostZone() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("bytes", to: "a.txt")
            try await laptop.sync()
            let database = await laptop.session.environment.database
            _ = try await database.modifyZones([ZoneOperation(.delete, ZoneID(zoneName: "Notes"))])
            _ = laptop.network.takeOperations()
            try await laptop.sync()
            let operations = laptop.network.takeOperations()
            #expect(operations.contains("zones/modify") && operations.contains("subscriptions/modify"), "\(operations)")
            #expect(!operations.contains("records/modify"), "what was there is not sent without a person's word")
            #expect(laptop.read("a.txt") == "bytes")
            try laptop.close()
        }
    }

    @Test("The owner of one's own zone is the same with and without a name (S0.6)")
    func owner() {
        let mine = ZoneID(zoneName: "Notes")
        let named = ZoneID(zoneName: "Notes", ownerRecordName: "_0123456789abcdef0123456789abcdef")
        let others = ZoneID(zoneName: "Notes", ownerRecordName: "_fedcba9876543210fedcba9876543210")
        #expect(mine.isSame(as: named) && named.isSame(as: mine))
        #expect(!named.isSame(as: others))
        #expect(!mine.isSame(as: ZoneID(zoneName: "notes")))
    }

    @Test("A folder whose zone is named with the account's own name syncs with one that leaves the owner out (S0.6)")
    func ownerNamed() async throws {
        try await EngineWorld.run { world in
            let user = try world.userRecordName()
            let laptop = try world.device("laptop")
            let desk = try world.device("desk") { $0.owner = user }
            try laptop.write("laptop", to: "a.txt")
            try desk.write("desk", to: "b.txt")
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["a.txt": "laptop", "b.txt": "desk"])
        }
    }

    @Test("The subscription has a fixed id of its own database and pushes in silence (S0.9, S0.10)")
    func subscription() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            await laptop.settle()
            let bodies = laptop.network.takeBodies(of: "subscriptions/modify")
            #expect(bodies.count == 1)
            #expect(bodies[0].contains(#""notificationInfo":{"shouldSendContentAvailable":true}"#), "\(bodies[0])")
            let configuration = await laptop.session.environment.configuration
            let id = try #require(configuration.subscription.subscriptionID)
            #expect(bodies[0].contains(id))
            var shared = configuration
            shared.database = .shared
            #expect(shared.subscription.subscriptionID != configuration.subscription.subscriptionID)
            // Again the same one, as after a state that was lost: that it is there is success.
            try laptop.restart()
            _ = try await laptop.session.environment.store.updateFacts { $0.subscription = nil }
            try laptop.restart()
            laptop.network.next(to: "subscriptions/modify", .answered(.refusal("EXISTS", status: 409)))
            await laptop.settle()
            laptop.pass(.seconds(120))
            await laptop.settle()
            #expect(await laptop.session.facts.subscription == configuration.subscription.subscriptionID)
            try laptop.close()
        }
    }
}
