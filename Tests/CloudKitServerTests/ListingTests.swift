import CloudKitServer
import Crypto
import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("What a server has of accounts, and what is taken back while it runs")
struct ListingTests {
    @Test(
        "API tokens of all containers are listed by their hashes; one that is revoked is refused at once, and no other")
    func tokens() async throws {
        try await withServer { server in
            let data = server.server.configuration.dataDirectory
            let other = try WebServicesServer.addAPIToken(
                container: "iCloud.other", environment: "production",
                options: APITokenOptions(origins: [try #require(WebOrigin("https://a.example"))]), in: data)
            let tokens = try WebServicesServer.apiTokens(container: nil, in: data)
            #expect(Set(tokens.map(\.container)) == [TestServer.container, "iCloud.other"])
            #expect(tokens.allSatisfy { $0.id.utf8.count == 64 && $0.id != other && $0.id != server.user.apiToken })
            let theirs = try WebServicesServer.apiTokens(container: "iCloud.other", in: data)
            #expect(theirs.map(\.origins) == [["https://a.example"]] && theirs[0].environment == "production")

            #expect(try WebServicesServer.revokeAPIToken(id: theirs[0].id, in: data))
            #expect(try !WebServicesServer.revokeAPIToken(id: theirs[0].id, in: data))
            #expect(try await server.get("zones/list").status == 200)
            let own = try #require(try WebServicesServer.apiTokens(container: nil, in: data).first)
            #expect(try WebServicesServer.revokeAPIToken(id: own.id, in: data))
            let refused = try await server.get("zones/list")
            #expect(refused.status == 401 && refused.code == "AUTHENTICATION_FAILED")
        }
    }

    @Test("Server-to-server keys are listed by their IDs, and one can be revoked and registered again")
    func keys() async throws {
        let pem = P256.Signing.PrivateKey().publicKey.pemRepresentation
        try await withServer { server in
            let data = server.server.configuration.dataDirectory
            func add() throws -> NewServerKey {
                try WebServicesServer.addServerKey(
                    container: TestServer.container, environment: "development", publicKeyPEM: pem, in: data)
            }
            let key = try add()
            let listed = try WebServicesServer.serverKeys(container: nil, in: data)
            #expect(listed.map(\.id) == [key.keyID] && listed.map(\.userRecordName) == [key.userRecordName])
            #expect(try WebServicesServer.serverKeys(container: "iCloud.other", in: data).isEmpty)
            #expect(try WebServicesServer.revokeServerKey(id: key.keyID, in: data))
            #expect(try WebServicesServer.serverKeys(container: nil, in: data).isEmpty)
            #expect(try add() == key)
        }
    }

    @Test("People of all containers are listed, without those as whom keys write")
    func people() async throws {
        try await withServer { server in
            let data = server.server.configuration.dataDirectory
            _ = try WebServicesServer.addUser(
                name: "bob", container: "iCloud.other", environment: "development", in: data)
            try await server.makeZone()
            let people = try WebServicesServer.people(container: nil, in: data)
            #expect(people.map(\.name) == ["ada", "bob"])
            #expect(people.map(\.container) == [TestServer.container, "iCloud.other"])
            #expect(people.map(\.summary.zones) == [1, 0])
            #expect(try WebServicesServer.people(container: "iCloud.other", in: data).map(\.name) == ["bob"])
        }
    }
}
