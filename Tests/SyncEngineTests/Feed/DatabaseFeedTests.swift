import CloudKitClient
import CloudKitWire
import SyncTiming
import Testing

@testable import RemoteZone

@Suite("One changes/database for all folders of a database (S0.16, S0.17)", .timeLimit(.minutes(30)))
struct DatabaseFeedTests {
    /// What the feed said, for comparing.
    private static func said(_ outcome: DatabaseFeed.Outcome) -> String {
        switch outcome {
        case .changes(let changes):
            let zones = changes.zones.map { ($0.deleted == true ? "-" : "") + $0.zoneID.zoneName }
            return (changes.isGap ? "gap" : zones.joined(separator: ",")) + ":" + changes.token
        case .failed: return "failed"
        case .standingStill: return "standing"
        }
    }

    private static func ask(
        _ feed: DatabaseFeed, since token: String?, after number: Int, _ network: ScriptedNetwork
    ) async throws -> String {
        said(
            try await feed.changes(
                since: token, after: number, asking: network.database, at: SteadyInstant(offset: .zero)))
    }

    @Test("Folders at the same token are content with one reading; who asks later gets a later one")
    func shared() async throws {
        let feed = DatabaseFeed()
        let network = ScriptedNetwork { _, _ throws(TransportError) in .page("A", token: "t2") }
        let first = try await Self.ask(feed, since: "t1", after: feed.begun, network)
        #expect(first == "A:t2")
        #expect(network.takeBodies().count == 1)
        let second = try await Self.ask(feed, since: "t1", after: 0, network)
        #expect(second == "A:t2")
        #expect(network.takeBodies().isEmpty)

        network.follow { _, _ throws(TransportError) in .page(token: "t2") }
        let third = try await Self.ask(feed, since: "t2", after: feed.begun, network)
        #expect(third == ":t2")
        let bodies = network.takeBodies()
        #expect(bodies.count == 1 && bodies[0].contains("t2"), "\(bodies)")
        // The slower folder is told of everything after its own token.
        let slow = try await Self.ask(feed, since: "t1", after: 1, network)
        #expect(slow == "A:t2")
        #expect(network.takeBodies().isEmpty)
    }

    @Test("A reading is as old as its question, whoever is content with it")
    func age() async throws {
        let feed = DatabaseFeed()
        let network = ScriptedNetwork { _, _ throws(TransportError) in .page(token: "t2") }
        for (after, now, asked) in [(0, 100, 100), (0, 150, 100), (1, 160, 160)] {
            let outcome = try await feed.changes(
                since: "t2", after: after, asking: network.database, at: SteadyInstant(offset: .seconds(now)))
            guard case .changes(let changes) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(changes.asked == SteadyInstant(offset: .seconds(asked)))
            #expect(changes.reading == feed.begun)
        }
    }

    @Test("Folders that ask at the same time wait for the one that asks")
    func atTheSameTime() async throws {
        let feed = DatabaseFeed()
        let network = ScriptedNetwork { _, _ throws(TransportError) in .page("A", "-B", token: "t2") }
        let said = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await Self.ask(feed, since: "t1", after: 0, network) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(said == ["A,-B:t2"])
        #expect(network.takeBodies().count == 1)
    }

    @Test("A folder of which the token was not read here takes its zone for changed, and goes on with the others")
    func foreignToken() async throws {
        let feed = DatabaseFeed()
        let network = ScriptedNetwork { _, _ throws(TransportError) in .page(token: "t5") }
        _ = try await Self.ask(feed, since: "t5", after: 0, network)
        for token in ["t3", nil] {
            let said = try await Self.ask(feed, since: token, after: 0, network)
            #expect(said == "gap:t5")
        }
        #expect(network.takeBodies().count == 1)
    }

    @Test("Pages follow one another, also after one that failed")
    func pages() async throws {
        let feed = DatabaseFeed()
        let network = ScriptedNetwork { _, body throws(TransportError) in
            if body.contains("t2") { throw .unreachable("cut") }
            return .page("A", token: "t2", moreComing: true)
        }
        let failed = try await Self.ask(feed, since: "t1", after: 0, network)
        #expect(failed == "failed")
        // The failure is that of all who waited; who asks anew has it tried again.
        let shared = try await Self.ask(feed, since: "t1", after: 0, network)
        #expect(shared == "failed")
        #expect(network.takeBodies().count == 2)

        network.follow { _, _ throws(TransportError) in .page("B", token: "t3") }
        let whole = try await Self.ask(feed, since: "t1", after: feed.begun, network)
        #expect(whole == "A,B:t3")
        let bodies = network.takeBodies()
        #expect(bodies.count == 1 && bodies[0].contains("t2"), "\(bodies)")
    }

    @Test(
        "What is said of one folder's account stops no other one",
        arguments: [("AUTHENTICATION_REQUIRED", 421), ("ACCESS_DENIED", 403)])
    func account(_ refusal: (code: String, status: Int)) async throws {
        let feed = DatabaseFeed()
        let signedOut = ScriptedNetwork { _, _ throws(TransportError) in .refusal(refusal.code, status: refusal.status)
        }
        let signedIn = ScriptedNetwork { _, _ throws(TransportError) in .page("A", token: "t2") }
        let first = try await Self.ask(feed, since: "t1", after: 0, signedOut)
        #expect(first == "failed")
        let second = try await Self.ask(feed, since: "t1", after: 0, signedIn)
        #expect(second == "A:t2")
        // And with what the other one read it is served, too.
        let again = try await Self.ask(feed, since: "t1", after: 0, signedOut)
        #expect(again == "A:t2")
    }

    @Test("A token that the server no longer knows is dropped for all")
    func expired() async throws {
        let feed = DatabaseFeed()
        let network = ScriptedNetwork { _, body throws(TransportError) in
            body.contains("t1") ? .refusal("BAD_REQUEST", status: 400) : .page("A", "B", token: "n1")
        }
        let said = try await Self.ask(feed, since: "t1", after: 0, network)
        #expect(said == "gap:n1")
        #expect(network.takeBodies().count == 2)
        let new = try await Self.ask(feed, since: nil, after: 0, network)
        #expect(new == "gap:n1")
        let known = try await Self.ask(feed, since: "n1", after: 0, network)
        #expect(known == ":n1")
        #expect(network.takeBodies().isEmpty)
    }

    @Test("A token that stands still ends the reading; a page that moves none is told once")
    func standing() async throws {
        let feed = DatabaseFeed()
        let network = ScriptedNetwork { _, _ throws(TransportError) in .page(token: "t1", moreComing: true) }
        let standing = try await Self.ask(feed, since: "t1", after: 0, network)
        #expect(standing == "standing")
        network.follow { _, _ throws(TransportError) in .page("A", token: "t1") }
        let before = feed.begun
        let named = try await Self.ask(feed, since: "t1", after: before, network)
        #expect(named == "A:t1")
        network.follow { _, _ throws(TransportError) in .page(token: "t1") }
        let later = try await Self.ask(feed, since: "t1", after: feed.begun, network)
        #expect(later == ":t1")
    }

    @Test("Feeds are told apart by server, container, environment, scope and account")
    func identity() {
        let feeds = DatabaseFeeds()
        let address = DatabaseAddress(
            container: "iCloud.a", environment: .development, scope: .private, baseURL: "http://a")
        let own = feeds.feed(of: DatabaseIdentity(address: address, userRecordName: "_a"))
        #expect(feeds.feed(of: DatabaseIdentity(address: address, userRecordName: "_a")) === own)
        let others = [
            DatabaseIdentity(address: address, userRecordName: "_b"),
            DatabaseIdentity(address: address.with(scope: .shared), userRecordName: "_a"),
            DatabaseIdentity(
                address: DatabaseAddress(
                    container: "iCloud.a", environment: .production, scope: .private, baseURL: "http://a"),
                userRecordName: "_a"),
        ]
        for other in others { #expect(feeds.feed(of: other) !== own) }
    }
}
