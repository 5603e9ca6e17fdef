import CloudKitWire
import GRDB
import Testing

@testable import CloudKitServer

@Suite("Whose an API token is")
struct TokenMakerTests {
    private static let (container, environment) = ("iCloud.example", "development")

    private func tokens(_ store: RecordStore) throws -> [APITokenSummary] { try store.apiTokens(container: nil) }

    @Test("Each token says by what it was made and for whom, also when that person is gone")
    func makers() throws {
        let clock = ManualClock()
        let store = try RecordStore(writer: DatabaseQueue(), surroundings: clock.surroundings)
        _ = try store.addUser(name: "ada", container: Self.container, environment: Self.environment)
        clock.advance(seconds: 1)
        let offer = InvitationOffer(userName: "bob", zone: "Notes", validity: .seconds(60))
        let invitation = try store.invite(offer, container: Self.container, environment: Self.environment)
        #expect(try tokens(store).count == 1)
        _ = try store.redeem(invitation.secret)
        clock.advance(seconds: 1)
        _ = try store.addAPIToken(container: Self.container, environment: Self.environment)
        #expect(try tokens(store).map(\.maker) == [.userAdd, .invitation, .tokenAdd])
        #expect(try tokens(store).map(\.userName) == ["ada", "bob", nil])
        #expect(try tokens(store).allSatisfy { $0.usedAt == nil })

        #expect(try store.removeUser("bob", container: Self.container))
        #expect(try tokens(store).map(\.userName) == ["ada", "bob", nil])
    }

    @Test("When a token was last used is known to within an hour, and a request that is refused is no use")
    func use() throws {
        let clock = ManualClock()
        let store = try RecordStore(writer: DatabaseQueue(), surroundings: clock.surroundings)
        let ada = try store.addUser(
            name: "ada", container: Self.container, environment: Self.environment,
            options: APITokenOptions(origins: [try #require(WebOrigin("https://a.example"))]))
        func usedAt() throws -> Int64? {
            // Behind all that is written at leisure.
            try store.writer.writeWithoutTransaction { try Int64.fetchOne($0, sql: "SELECT used_at FROM api_tokens") }
        }
        func call(from origin: String? = nil, container: String = Self.container) throws {
            _ = try store.authenticate(
                Credentials(apiToken: ada.apiToken, webAuthToken: nil, origin: origin), container: container,
                environment: Self.environment, scope: .public, baseURL: "http://localhost")
        }
        #expect(throws: ErrorDictionary.self) { try call(from: "https://b.example") }
        #expect(throws: ErrorDictionary.self) { try call(container: "iCloud.other") }
        #expect(try usedAt() == nil)
        let first = store.surroundings.now()
        try call()
        #expect(try usedAt() == first)
        clock.advance(seconds: 3599)
        try call()
        #expect(try usedAt() == first)
        clock.advance(seconds: 1)
        try call(from: "https://a.example")
        #expect(try usedAt() == first + RecordStore.tokenUseLag)
        #expect(try tokens(store).map(\.usedAt) == [first + RecordStore.tokenUseLag])
    }

    @Test("Of a token that an earlier version made, nothing is known until it is used again")
    func earlier() throws {
        let queue = try DatabaseQueue()
        try Migrations.migrator.migrate(queue, upTo: "9: gaps")
        try queue.write { db in
            try db.execute(sql: "INSERT INTO users VALUES (1, 'iCloud.example', 'ada', '_0123', 5, NULL, 0)")
            try db.execute(
                sql: "INSERT INTO api_tokens VALUES (?, 'iCloud.example', 'development', 5, NULL)",
                arguments: [blob(digest(of: "token"))])
        }
        let clock = ManualClock()
        let store = try RecordStore(writer: queue, surroundings: clock.surroundings)
        let old = try #require(try tokens(store).first)
        #expect(old.createdAt == 5 && old.maker == nil && old.userName == nil && old.usedAt == nil)
        _ = try store.authenticate(
            Credentials(apiToken: "token", webAuthToken: nil), container: Self.container,
            environment: Self.environment, scope: .public, baseURL: "http://localhost")
        queue.writeWithoutTransaction { _ in }  // Behind all that is written at leisure.
        let used = try #require(try tokens(store).first)
        #expect(used.maker == nil && used.userName == nil && used.usedAt == store.surroundings.now())
    }
}
