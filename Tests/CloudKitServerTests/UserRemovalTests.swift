import CloudKitServer
import GRDB
import Synchronization
import SystemPackage
import Testing

@testable import CloudKitServer

/// Each end comes from a store of its own on the running server's data, as another process has it.
@Suite("Ending sign-ins, and removing people, while the server runs")
struct UserRemovalTests {
    private static let container = TestServer.container

    private func withBob(
        clock: ManualClock? = nil,
        _ body: @escaping @Sendable (_ ada: TestServer, _ bob: TestServer, FilePath) async throws -> Void
    ) async throws {
        try await withServer(clock: clock) { ada in
            let bob = try ada.server.store.addUser(
                name: "bob", container: Self.container, environment: "development")
            try await body(
                ada, TestServer(server: ada.server, port: ada.port, user: bob),
                ada.server.configuration.dataDirectory)
        }
    }

    @Test("A sign-out ends every session at once, in both environments, and nobody else's; the data stays")
    func signOut() async throws {
        try await withBob { ada, bob, data in
            try await ada.makeZone()
            _ = try ada.server.store.addUser(name: "ada", container: Self.container, environment: "production")
            let older = ada.currentToken
            #expect(try await ada.get("zones/list").status == 200)
            #expect(try await bob.get("zones/list").status == 200)
            #expect(try WebServicesServer.signOutUser("ada", container: Self.container, in: data) == 2)
            for token in [older, ada.currentToken] {
                ada.use(token)
                let refused = try await ada.get("zones/list")
                #expect(refused.status == 421 && refused.code == "AUTHENTICATION_REQUIRED")
                #expect(refused.nextToken == nil)
            }
            #expect(ada.server.store.rotations.withLock { $0.rotations.count } == 1, "bob's is left")
            #expect(try await bob.get("zones/list").status == 200)
            #expect(try WebServicesServer.signOutUser("ada", container: Self.container, in: data) == 0)

            let again = try ada.server.store.addUser(
                name: "ada", container: Self.container, environment: "development")
            #expect(again.userRecordName == ada.user.userRecordName)
            let signedIn = TestServer(server: ada.server, port: ada.port, user: again)
            #expect(try await signedIn.get("zones/list")["zones"].count == 2)
        }
    }

    @Test("A person who is removed is gone at once with all that is theirs; what they published stays, and by whom")
    func remove() async throws {
        try await withBob { ada, bob, data in
            let store = ada.server.store
            try await ada.check([.zone("F"), .note("a"), .changes("", #"{"syncToken":"$t"}"#)])
            let token = try #require(try await ada.post("changes/database")["syncToken"].string)
            let asset = try await asset(of: ada)
            _ = try await ada.modify(
                #"{"operationType":"create","record":{"recordType":"T","recordName":"b","fields":{"f":{"value":\#(asset),"type":"ASSETID"}}}}"#,
                zone: "F")
            _ = try await ada.post(
                "subscriptions/modify",
                #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"zone","zoneID":{"zoneName":"F"}}}]}"#
            )
            let publicRecords = "/database/1/\(Self.container)/development/public/records/"
            let published =
                #"{"operations":[{"operationType":"create","record":{"recordType":"Page","recordName":"p"}}]}"#
            #expect(try await ada.send("POST", publicRecords + "modify", published).status == 200)
            #expect(
                try WebServicesServer.summary(ofUser: "ada", container: Self.container, in: data)
                    == UserSummary(userRecordName: ada.user.userRecordName, zones: 1, records: 2, sessions: 1))

            #expect(try WebServicesServer.removeUser("ada", container: Self.container, in: data))
            #expect(try await ada.get("zones/list").status == 421)
            let page = try await bob.send("POST", publicRecords + "lookup", #"{"records":[{"recordName":"p"}]}"#)[
                "records"][0]
            #expect(page["created"]["userRecordName"].string == ada.user.userRecordName)
            // Of records the page alone is left; of zones, bob's default one and the public one.
            let tables = ["asset_uses", "subscriptions", "push_tokens", "records", "zones", "sessions"]
            let counts = try await store.writer.read { db in
                try tables.map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") }
            }
            #expect(counts == [0, 0, 0, 1, 2, 1])
            #expect(try store.forgetUnusedAssets().isEmpty)
            #expect(try store.userNames(container: Self.container) == ["bob"])

            // By the same name comes somebody else, to whom no older token says anything.
            let other = try store.addUser(name: "ada", container: Self.container, environment: "development")
            #expect(other.userRecordName != ada.user.userRecordName)
            let newcomer = TestServer(server: ada.server, port: ada.port, user: other)
            try await newcomer.makeZone("F")
            try await newcomer.makeZone("G")
            let refused = try await newcomer.post("changes/database", #"{"syncToken":"\#(token)"}"#)
            #expect(refused.status == 400 && refused.reason == "Unknown sync continuation type", "\(refused.text)")
            #expect(try await ada.get("zones/list").status == 421)
        }
    }

    @Test("Nobody can be signed out or removed whom the container does not have, and no key is a person")
    func unknown() async throws {
        try await withBob { ada, _, data in
            let store = ada.server.store
            try await store.writer.write { db in
                try db.execute(
                    sql:
                        "INSERT INTO users (container, name, record_name, created_at, is_key) VALUES (?, 'k', '_k', 0, 1)",
                    arguments: [Self.container])
            }
            for (name, container) in [
                ("carol", Self.container), ("ada", "iCloud.other"), ("k", Self.container), ("", ""),
            ] {
                #expect(try WebServicesServer.signOutUser(name, container: container, in: data) == nil)
                #expect(try !WebServicesServer.removeUser(name, container: container, in: data))
                #expect(try WebServicesServer.summary(ofUser: name, container: container, in: data) == nil)
            }
            #expect(try await ada.get("zones/list").status == 200)
        }
    }

    private func asset(of server: TestServer) async throws -> String {
        let token = #"{"zoneID":{"zoneName":"F"},"tokens":[{"recordName":"b","fieldName":"f"}]}"#
        let url = try #require(try await server.post("assets/upload", token)["tokens"][0]["url"].string)
        return try #require(try await server.sendRaw("POST", url, [1, 2, 3])["singleFile"].text)
    }
}
