import CloudKitClient
import CloudKitQueries
import CloudKitWire
import FolderControl
import Foundation
import StateStorage
import SystemPackage
import Testing

@testable import RemoteZone
@testable import SessionCore
@testable import StateRows
@testable import SyncEngine

@Suite("Pushes that do not come (S0.9, S0.12)", .timeLimit(.minutes(30)))
struct LostPushTests {
    private static func subscriptions(of device: EngineDevice) async throws -> [String] {
        let known = await device.session.facts.subscription.map { [$0] } ?? []
        return try await device.session.environment.database.lookUpSubscriptions(known).compactMap { result in
            if case .success(let subscription) = result { subscription.subscriptionID } else { nil }
        }
    }

    @Test(
        "A subscription that the server has lost is made anew once it is doubted, and one that is there is left alone")
    func lost() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            await laptop.settle()
            let own = try await Self.subscriptions(of: laptop)
            #expect(own.count == 1)
            _ = laptop.network.takeOperations()
            let inbox = await laptop.session.inbox
            inbox.news.receiveSubscriptionDoubt()
            await laptop.session.cycle()
            #expect(laptop.network.takeOperations() == ["subscriptions/lookup"])

            _ = try await laptop.session.environment.database.modifySubscriptions(
                [SubscriptionOperation(.delete, Subscription(subscriptionID: own[0], subscriptionType: "zone"))])
            #expect(try await Self.subscriptions(of: laptop).isEmpty)
            inbox.news.receiveSubscriptionDoubt()
            await laptop.settle()
            #expect(try await Self.subscriptions(of: laptop) == own)
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }

    @Test("A poll that finds what no push announced doubts subscription and courier; if it stays so, status says it")
    func unannounced() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            await laptop.settle()
            await desk.settle()
            let feed = try #require(await laptop.session.feed)
            let inbox = await laptop.session.inbox
            feed.pushes.listen(at: await laptop.session.now)

            func change(_ text: String) async throws {
                try desk.write(text, to: "a.txt")
                try await desk.sync()
                laptop.pass(.seconds(61))
                await laptop.session.cycle()
                #expect(laptop.read("a.txt") == text)
            }
            try await change("1")
            #expect(feed.pushes.takeDoubt())
            #expect(try await laptop.report().notices == [], "one push may be lost")
            _ = laptop.network.takeOperations()
            await laptop.session.cycle()
            #expect(laptop.network.takeOperations() == ["subscriptions/lookup"])

            try await change("2")
            let notice = try #require(try await laptop.report().notices?.first)
            #expect(notice.code == "noPushes" && notice.message.contains("each 60 s"))
            // Three in a row are no more reason than two.
            _ = feed.pushes.takeDoubt()
            try await change("3")
            #expect(!feed.pushes.takeDoubt())

            inbox.news.hearPush()
            await laptop.session.cycle()
            #expect(try await laptop.report().notices == [])
            // What a push announces is no surprise.
            try desk.write("4", to: "a.txt")
            try await desk.sync()
            inbox.news.receivePush()
            inbox.news.hearPush()
            laptop.pass(.seconds(61))
            await laptop.session.cycle()
            #expect(laptop.read("a.txt") == "4" && !feed.pushes.takeDoubt())
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A courier that cannot be asked for a minute is named, and no more once it answers")
    func trouble() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            await laptop.settle()
            let feed = try #require(await laptop.session.feed)
            feed.pushes.failed(because: "The server cannot be reached: refused.", at: await laptop.session.now)
            #expect(try await laptop.report().notices == [])
            laptop.pass(.seconds(61))
            await laptop.settle()
            let report = try await laptop.report()
            #expect(report.verdict == .inSync, "a poll does as well")
            #expect(report.notices?.map(\.code) == ["noPushes"])
            #expect(report.notices?.first?.message.contains("refused") == true)
            feed.pushes.courierAnswered()
            #expect(try await laptop.report().notices == [])
            try laptop.close()
        }
    }

    @Test("A folder that was copied with its state has no courier, and the one that it was copied from keeps its own")
    func copied() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            await laptop.settle()
            _ = try laptop.store.updateFacts { facts in
                (facts.courierURL, facts.pushToken, facts.courierExpiresMilliseconds) = ("http://courier", "t", .max)
            }
            try laptop.restart()
            #expect(try laptop.store.facts().courierURL == "http://courier", "a start makes nothing anew")
            try laptop.close()
            let place = world.place.appending("copy")
            try FileManager.default.copyItem(atPath: laptop.folder.string, toPath: place.string)
            let copy = try EngineDevice(folder: place, network: FaultyNetwork(world.transport), feeds: DatabaseFeeds())
            let facts = try copy.store.facts()
            #expect(facts.courierURL == nil && facts.pushToken == nil && facts.account != nil)
            try laptop.restart()
            #expect(try laptop.store.facts().courierURL == "http://courier")
            try laptop.close()
            try copy.close()
        }
    }
}
