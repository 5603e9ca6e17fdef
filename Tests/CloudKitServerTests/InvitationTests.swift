import CloudKitServer
import CloudKitWire
import GRDB
import SystemPackage
import Testing

@testable import CloudKitServer
@testable import WireCoding

/// Each invitation is made by a store of its own on the running server's data, as another process makes it.
@Suite("Invitations, made beside a running server")
struct InvitationTests {
    private static let container = TestServer.container

    private static func invite(
        _ user: String = "bob", valid: Duration = .seconds(3600), in server: TestServer
    ) throws -> NewInvitation {
        try WebServicesServer.invite(
            InvitationOffer(
                userName: user, zone: "Notes", validity: valid, callback: "http://127.0.0.1:7437/"),
            container: container, environment: "development", in: server.server.configuration.dataDirectory)
    }

    private static func redeem(_ secret: String, at server: TestServer) async throws -> TestServer.Reply {
        try await server.sendRaw(
            "POST", "/invite", InvitationRequest(secret: secret).encoded(), contentType: "application/json")
    }

    @Test("One gives a new user both tokens and the zone, once; a second one of the same user gives others")
    func redeemed() async throws {
        try await withServer { server in
            let invitation = try Self.invite(in: server)
            #expect(invitation.secret.utf8.count == 24)
            let reply = try await Self.redeem(invitation.secret, at: server)
            #expect(reply.status == 200 && reply.header("Cache-Control") == "no-store")
            #expect(reply.header("Access-Control-Allow-Origin") == nil, "no page of another origin may read it")
            let account = try InvitedAccount.decode(reply.body)
            #expect(
                account.container == Self.container && account.environment == "development"
                    && account.zone == "Notes" && account.userName == "bob")
            let path =
                "/database/1/\(Self.container)/development/private/users/caller?ckAPIToken=\(account.apiToken)"
                + "&ckWebAuthToken=\(encoded(account.webAuthToken))"
            let caller = try await server.sendRaw("GET", path, nil)
            #expect(caller.status == 200 && caller["userRecordName"].string == account.userRecordName)

            let again = try await Self.redeem(invitation.secret, at: server)
            #expect(again.status == 410 && again["reason"].string == "used")
            let other = try InvitedAccount.decode(
                try await Self.redeem(try Self.invite(in: server).secret, at: server).body)
            #expect(other.userRecordName == account.userRecordName && other.webAuthToken != account.webAuthToken)
        }
    }

    @Test("Those of somebody who is no user yet are listed and taken back, and nobody else's")
    func withdrawn() async throws {
        try await withServer { server in
            let data = server.server.configuration.dataDirectory
            let (first, second) = (try Self.invite("hank", in: server), try Self.invite("hank", in: server))
            let others = try Self.invite("bob", in: server)
            let open = try WebServicesServer.openInvitations(container: nil, in: data)
            #expect(open.map(\.userName) == ["bob", "hank", "hank"])
            #expect(open.allSatisfy { $0.zone == "Notes" && $0.container == Self.container })
            #expect(try WebServicesServer.openInvitations(container: "iCloud.other", in: data).isEmpty)

            func withdraw(_ name: String) throws -> Int {
                try WebServicesServer.withdrawInvitations(ofUser: name, container: Self.container, in: data)
            }
            #expect(try withdraw("Hank") == 0)
            #expect(try withdraw("hank") == 2)
            #expect(try withdraw("hank") == 0)
            for secret in [first.secret, second.secret] {
                #expect(try await Self.redeem(secret, at: server).status == 404)
            }
            #expect(try await Self.redeem(others.secret, at: server).status == 200)
            #expect(try WebServicesServer.openInvitations(container: nil, in: data).isEmpty)
        }
    }

    @Test("One that is too old is not open, and counts as none that was taken back")
    func expired() async throws {
        let clock = ManualClock()
        let store = try RecordStore(writer: DatabaseQueue(), surroundings: clock.surroundings)
        let offer = InvitationOffer(userName: "hank", zone: "Notes", validity: .seconds(60))
        _ = try store.invite(offer, container: Self.container, environment: "development")
        clock.advance(seconds: 61)
        #expect(try store.openInvitations(container: nil).isEmpty)
        #expect(try store.withdrawInvitations(ofUser: "hank", container: Self.container) == 0)
    }

    @Test("Of many who redeem one at once, one gets in")
    func atOnce() async throws {
        try await withServer { server in
            let secret = try Self.invite(in: server).secret
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await Self.redeem(secret, at: server).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200] + [Int](repeating: 410, count: 7))
        }
    }

    @Test("One that is too old, unknown or no invitation at all is refused for what it is, and makes nobody")
    func refused() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let store = server.server.store
            let invitation = try store.invite(
                InvitationOffer(userName: "bob", zone: "Notes", validity: .seconds(60)), container: Self.container,
                environment: "development")
            clock.advance(seconds: 61)
            let late = try await Self.redeem(invitation.secret, at: server)
            #expect(late.status == 410 && late["reason"].string == "expired")
            let unknown = try await Self.redeem("AAAAAAAAAAAAAAAAAAAAAAAA", at: server)
            #expect(unknown.status == 404 && unknown["reason"].string == "unknown")
            for body in ["", "{}", "[]", #"{"secret":5}"#, String(repeating: " ", count: 20_000)] {
                #expect(try await server.sendRaw("POST", "/invite", Array(body.utf8)).status == 400)
            }
            #expect(try store.userNames(container: Self.container) == ["ada"])
        }
    }

    @Test("Whoever is signed out or removed has no invitation left", arguments: [true, false])
    func withdrawn(removed: Bool) async throws {
        try await withServer { server in
            let data = server.server.configuration.dataDirectory
            let (open, other) = (try Self.invite("ada", in: server), try Self.invite("bob", in: server))
            if removed {
                #expect(try WebServicesServer.removeUser("ada", container: Self.container, in: data))
            } else {
                #expect(try WebServicesServer.signOutUser("ada", container: Self.container, in: data) == 1)
            }
            #expect(try await Self.redeem(open.secret, at: server).status == 404)
            #expect(try await Self.redeem(other.secret, at: server).status == 200)
        }
    }

    @Test("The data holds no secret, and a browser is told what the link is for")
    func secrets() async throws {
        try await withTemporaryDirectory { directory in
            let invitation = try WebServicesServer.invite(
                InvitationOffer(userName: "bob", zone: "Notes", validity: .seconds(60)), container: Self.container,
                environment: "development", in: directory)
            let bytes = try readFile(directory.appending("server.sqlite"))
            #expect(bytes.firstRange(of: Array(invitation.secret.utf8)) == nil)
            try await withServer(in: directory) { server in
                let page = try await server.sendRaw("GET", "/invite", nil)
                #expect(page.status == 200 && page.text.contains("zonefolder init"))
                #expect(try await Self.redeem(invitation.secret, at: server).status == 200)
            }
        }
    }

    @Test("What an invitation can be for are the people, their zones, and where the server was reached")
    func ground() async throws {
        try await withServer { server in
            let data = server.server.configuration.dataDirectory
            try await server.makeZone("Work")
            try server.server.store.setServerURL("http://127.0.0.1:1")
            try server.server.store.setServerURL("http://127.0.0.1:2")
            let ground = try WebServicesServer.invitationGround(
                container: Self.container, environment: "development", in: data)
            #expect(ground.people == ["ada"] && ground.zones == ["ada": ["Work"]])
            #expect(ground.serverURL == "http://127.0.0.1:2")
        }
    }
}
