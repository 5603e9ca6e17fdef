import CloudKitClient
import CloudKitWire
import FolderControl
import StateStorage
import Testing

@testable import FolderSettings
@testable import RemoteZone
@testable import SessionCore
@testable import StateRows
@testable import SyncEngine

@Suite("Several folders of one database in one process", .timeLimit(.minutes(30)))
struct SeveralFoldersTests {
    private static let zones = ["Notes", "Tasks", "Cards"]

    /// Folders of one process, a zone each, and a device of its own with the second zone; all in sync.
    private static func withFolders(
        grace: Duration? = nil,
        _ body: @Sendable (_ folders: [EngineDevice], _ other: EngineDevice, DatabaseFeeds) async throws -> Void
    ) async throws {
        try await EngineWorld.run(grace: grace) { world in
            let feeds = DatabaseFeeds()
            let folders = try zones.map { zone in try world.device(zone, feeds: feeds) { $0.zone = zone } }
            for (folder, zone) in zip(folders, zones) {
                try folder.write(#"{"zone": "\#(zone)"}"#, to: "Note/\(zone).json")
            }
            for folder in folders + folders { try await folder.sync() }
            let other = try world.device("other") { $0.zone = "Tasks" }
            try await converge(other, folders[1])
            for folder in folders { try await folder.sync() }
            try await body(folders, other, feeds)
            for folder in folders + [other] { try folder.close() }
        }
    }

    /// One cycle's requests of each folder, after a push for the database.
    private static func requestsAfterPush(_ folders: [EngineDevice], _ feeds: DatabaseFeeds) async throws -> [[String]]
    {
        for folder in folders { _ = folder.network.takeOperations() }
        let feed = try #require(await folders[0].session.feed)
        feed.pushesWereMissed()
        for folder in folders {
            // In a daemon the feed does this by the folder's seat.
            await folder.session.inbox.news.receiveDatabasePush(after: feed.begun)
        }
        let begun = feed.begun
        for folder in folders { await folder.session.look(after: begun) }
        return folders.map { $0.network.takeOperations() }
    }

    @Test("A push is answered by one changes/database, and only the zone that changed is fetched (S0.13, S0.17)")
    func counted() async throws {
        try await Self.withFolders { folders, other, feeds in
            try other.write(#"{"from": "other"}"#, to: "Note/new.json")
            try await other.sync()
            let requests = try await Self.requestsAfterPush(folders, feeds)
            #expect(requests.flatMap(\.self).count { $0 == "changes/database" } == 1, "\(requests)")
            #expect(requests.map { $0.count { $0 == "changes/zone" } } == [0, 1, 0], "\(requests)")
            #expect(folders[1].read("Note/new.json") != nil)
            // All of them have stored how far the feed was read, so that each can go on alone.
            var tokens: Set<String?> = []
            for folder in folders { tokens.insert(await folder.session.facts.databaseToken) }
            #expect(tokens.count == 1 && !tokens.contains(nil))
        }
    }

    @Test(
        "A kill after another folder read the feed, or before the zone was fetched, loses no change (S0.21, S2.10)",
        arguments: [false, true])
    func killed(isOwed: Bool) async throws {
        try await Self.withFolders { folders, other, feeds in
            try other.write(#"{"from": "other"}"#, to: "Note/new.json")
            try await other.sync()
            // The first folder reads the feed for all; the second may have come as far as to store that its zone is owed.
            try await folders[0].sync()
            if isOwed {
                folders[1].network.decide {
                    FaultyNetwork.operation(of: $0) == "changes/zone" ? .lostOnTheWay : .delivered
                }
                await folders[1].session.look(after: 0)
                folders[1].network.decide { _ in .delivered }
                #expect(await folders[1].session.zoneFacts.owed)
            }
            // Later it is synced by itself.
            try folders[1].restart()
            try await folders[1].sync()
            #expect(folders[1].read("Note/new.json") != nil)
            // And then with the others again, with another token than theirs.
            try other.write(#"{"from": "other, again"}"#, to: "Note/new.json")
            try await other.sync()
            try await folders[0].sync()
            try folders[1].restart(with: feeds)
            try await folders[1].sync()
            #expect(folders[1].read("Note/new.json") == #"{"from": "other, again"}"#)
        }
    }

    @Test("Each poll reads the database's feed, once for all folders, though no push comes (S0.13)")
    func polls() async throws {
        try await Self.withFolders { folders, other, _ in
            for poll in 0..<4 {
                for folder in folders {
                    _ = folder.network.takeOperations()
                    folder.pass(.seconds(61))
                }
                try other.write(#"{"poll": \#(poll)}"#, to: "Note/new.json")
                try await other.sync()
                for folder in folders { await folder.session.cycle() }
                let requests = folders.map { $0.network.takeOperations() }
                #expect(requests.flatMap(\.self).count { $0 == "changes/database" } == 1, "\(requests)")
                #expect(folders[1].read("Note/new.json") == #"{"poll": \#(poll)}"#)
            }
        }
    }

    @Test("A folder that is signed out, or whose disk fails, stops no other one (S1.8)")
    func oneFails() async throws {
        // Each folder keeps its own tokens, and void ones are refused at once.
        try await Self.withFolders(grace: .zero) { folders, other, feeds in
            folders[0].network.decide { _ in .answered(.refusal("AUTHENTICATION_REQUIRED", status: 421)) }
            await folders[0].session.settle()
            #expect(try await folders[0].report().verdict == .attention)
            try other.write(#"{"from": "other"}"#, to: "Note/new.json")
            try await other.sync()
            try await folders[1].sync()
            #expect(folders[1].read("Note/new.json") != nil)
            #expect(try await folders[1].report().verdict == .inSync)
            // Back again, it goes on.
            folders[0].network.decide { _ in .delivered }
            try await folders[0].sync()
            let report = try await folders[0].report()
            #expect(report.verdict == .inSync, "\(report)")
        }
    }

    @Test("A zone that is deleted is lost to its own folder only (S0.25)")
    func deletedZone() async throws {
        try await Self.withFolders { folders, _, feeds in
            let zone = ZoneID(zoneName: "Tasks")
            _ = try await folders[0].session.environment.database.modifyZones([ZoneOperation(.delete, zone)])
            for folder in folders { try await folder.sync() }
            #expect(try await folders[1].report().held.contains { $0.code == "zoneVanished" })
            for folder in [folders[0], folders[2]] { #expect(try await folder.report().verdict == .inSync) }
            for (folder, name) in zip(folders, Self.zones) { #expect(folder.read("Note/\(name).json") != nil) }
        }
    }
}

extension FolderSession {
    /// One cycle after a push that came after some reading.
    fileprivate func look(after reading: Int) async {
        inbox.news.receiveDatabasePush(after: reading)
        await cycle()
    }
}
