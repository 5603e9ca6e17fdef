import CloudKitWire
import GRDB
import Synchronization
import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("Who calls (protocol §2, §10.1)")
struct AuthenticationTests {
    @Test("Without credentials, with a wrong API token, and with an API token alone")
    func refusals() async throws {
        try await withServer { server in
            let path = "/database/1/\(TestServer.container)/development/private/zones/list"
            let none = try await server.sendRaw("GET", path, nil)
            #expect(none.status == 401 && none.code == "AUTHENTICATION_FAILED")
            #expect(none.reason == "no auth method found")
            #expect(none["uuid"].string?.utf8.count == 36)

            let wrong = try await server.sendRaw("GET", path + "?ckAPIToken=" + String(repeating: "0", count: 64), nil)
            #expect(wrong.status == 401 && wrong.code == "AUTHENTICATION_FAILED")

            for token in ["", "&ckWebAuthToken=106__54__AAAA", "&ckWebAuthToken=nonsense"] {
                let signIn = try await server.sendRaw("GET", path + "?ckAPIToken=\(server.user.apiToken)\(token)", nil)
                #expect(signIn.status == 421 && signIn.code == "AUTHENTICATION_REQUIRED")
                #expect(signIn["redirectURL"].string?.hasPrefix("http://127.0.0.1:\(server.port)/") == true)
                #expect(signIn.reason == "request needs authorization")
            }
        }
    }

    @Test("An API token opens its container and environment only")
    func scopes() async throws {
        try await withServer { server in
            for place in ["iCloud.other/development", "\(TestServer.container)/production"] {
                let reply = try await server.send("GET", "/database/1/\(place)/private/zones/list", nil)
                #expect(reply.status == 401)
            }
        }
    }

    @Test("A web auth token whose '+' was not percent-encoded arrives as a space, and is refused")
    func plusIsSpace() async throws {
        try await withServer { server in
            var token = server.user.webAuthToken
            while !token.contains("+") {
                token = try await server.get("users/caller").nextToken!
            }
            let raw = token.replacing("/", with: "%2F").replacing("=", with: "%3D")
            let path = "/database/1/\(TestServer.container)/development/private/users/caller"
            let refused = try await server.sendRaw(
                "GET", "\(path)?ckAPIToken=\(server.user.apiToken)&ckWebAuthToken=\(raw)", nil)
            #expect(refused.status == 421)
            #expect(try await server.get("users/caller").status == 200)
        }
    }

    @Test("Who calls is told under the public and the private path", arguments: ["public", "private"])
    func caller(database: String) async throws {
        try await withServer { server in
            for operation in ["users/caller", "users/current"] {
                let reply = try await server.get(operation, database: database)
                #expect(reply.status == 200)
                #expect(reply["userRecordName"].string == server.user.userRecordName)
            }
            #expect(server.user.userRecordName.wholeMatch(of: /_[0-9a-f]{32}/) != nil)
            #expect(server.user.apiToken.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        }
    }

    @Test("Every answer carries a new token, errors too, and the old one is good for the grace only")
    func rotation() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) {
            $0.store.webAuthTokenGrace = .seconds(60)
        } _: { server in
            let path = "/database/1/\(TestServer.container)/development/private/"
            let first = server.user.webAuthToken
            let reply = try await server.get("users/caller")
            let second = try #require(reply.nextToken)
            #expect(second != first)
            let failed = try await server.post("records/modify", "nonsense")
            #expect(failed.status == 400 && failed.nextToken != nil && failed.nextToken != second)

            clock.advance(seconds: 59)
            let again = try await server.sendRaw(
                "GET", path + "users/caller?" + server.credentials(webAuthToken: first), nil)
            #expect(again.status == 200)
            clock.advance(seconds: 1)
            let late = try await server.sendRaw(
                "GET", path + "users/caller?" + server.credentials(webAuthToken: first), nil)
            #expect(late.status == 421 && late.code == "AUTHENTICATION_REQUIRED" && late.nextToken == nil)
            #expect(try await server.get("users/caller").status == 200)
        }
    }

    @Test("A client may keep any of the tokens that simultaneous answers brought, for as long as it likes")
    func simultaneous() throws {
        var rotation = Rotation(voidUpTo: -1, starts: 1, now: 0)
        func use(_ number: Int64, at time: Int64) -> Bool {
            rotation.use(number, now: time, graceMilliseconds: 60_000)
        }
        #expect(use(0, at: 0))
        let issued = [rotation.issue(), rotation.issue(), rotation.issue()]
        #expect(Set(issued).count == 3 && issued == issued.sorted())
        #expect(use(issued[0], at: 1_000_000))
        #expect(use(0, at: 1_059_999))
        #expect(!use(0, at: 1_060_000))
        #expect(use(issued[2], at: 2_000_000))
        #expect(use(issued[1], at: 2_059_999))
        #expect(!use(issued[1], at: 2_060_000) && !use(issued[0], at: 2_060_000))
        #expect(use(issued[2], at: 9_000_000))
    }

    @Test("Without a grace, the first use of a newer token voids all older ones, and a token lasts until then")
    func untilSuccessorIsUsed() {
        var rotation = Rotation(voidUpTo: -1, starts: 1, now: 0)
        func use(_ number: Int64) -> Bool { rotation.use(number, now: 7, graceMilliseconds: 0) }
        #expect(use(0) && use(0))
        let issued = [rotation.issue(), rotation.issue()]
        #expect(use(0), "The answers may have been lost")
        #expect(use(issued[0]))
        #expect(!use(0))
        #expect(use(issued[1]))
        #expect(!use(issued[0]) && use(issued[1]))
    }

    @Test("By the rule of single use, a token is void by its first use, and so are all before it")
    func singleUseRule() {
        var rotation = Rotation(voidUpTo: -1, starts: 1, now: 0, rule: .singleUse)
        func use(_ number: Int64) -> Bool { rotation.use(number, now: 7, graceMilliseconds: 0) }
        let issued = [rotation.issue(), rotation.issue()]
        #expect(use(issued[0]))
        #expect(!use(issued[0]) && !use(0))
        #expect(use(issued[1]))
        #expect(!use(issued[1]))
    }

    @Test("However many requests there are, a session remembers little, and a token still ends")
    func bounded() {
        var rotation = Rotation(voidUpTo: -1, starts: 1, now: 0)
        var token: Int64 = 0
        var refused = 0
        for time in Int64(0)..<100_000 {
            if !rotation.use(token, now: time, graceMilliseconds: 60_000) { refused += 1 }
            token = rotation.issue()
        }
        #expect(refused == 0)
        #expect(rotation.uses.count <= 62)
        #expect(rotation.voidUpTo > token - 62_000 && rotation.voidUpTo < token - 59_000)
    }

    @Test("A start without a clean end before it accepts the newest token, and issues none that was issued before")
    func crash() {
        var before = Rotation(voidUpTo: -1, starts: 1, now: 0)
        let issued = (0..<100).map { _ in before.issue() }
        var after = Rotation(voidUpTo: before.saved, starts: 2, now: 0)
        let isGood = after.use(issued.last!, now: 0, graceMilliseconds: 0)
        #expect(isGood)
        let isOldGood = after.use(issued[98], now: 0, graceMilliseconds: 0)
        #expect(!isOldGood)
        let next = after.issue()
        #expect(next > issued.last!)
    }

    @Test("By the rule of single use and without a grace a token is good once, also over a restart")
    func singleUse() async throws {
        try await withTemporaryDirectory { directory in
            let used = try await withServer(in: directory) {
                $0.store.webAuthTokenGrace = .zero
                $0.store.webAuthTokenRule = .singleUse
            } _: {
                (server) async throws -> String in
                let path = "/database/1/\(TestServer.container)/development/private/users/caller?"
                let credentials = server.credentials()
                #expect(try await server.sendRaw("GET", path + credentials, nil).status == 200)
                #expect(try await server.sendRaw("GET", path + credentials, nil).status == 421)
                return path + credentials
            }
            try await withServer(in: directory) {
                $0.store.webAuthTokenGrace = .zero
                $0.store.webAuthTokenRule = .singleUse
            } _: { server in
                let again = try await server.sendRaw("GET", used, nil)
                #expect(again.status == 421)
            }
        }
    }

    @Test("A user added by another process is seen by the running server")
    func otherProcess() async throws {
        try await withTemporaryDirectory { directory in
            try await withServer(in: directory) { server in
                let bob = try WebServicesServer.addUser(
                    name: "bob", container: TestServer.container, environment: "development", in: directory)
                let again = try WebServicesServer.addUser(
                    name: "bob", container: TestServer.container, environment: "development", in: directory)
                #expect(bob.userRecordName == again.userRecordName && bob.apiToken != again.apiToken)
                for user in [bob, again] {
                    let reply = try await server.sendRaw(
                        "GET",
                        "/database/1/\(TestServer.container)/development/public/users/caller?ckAPIToken=\(user.apiToken)"
                            + "&ckWebAuthToken=\(encoded(user.webAuthToken))", nil)
                    #expect(reply.status == 200 && reply["userRecordName"].string == bob.userRecordName)
                }
            }
        }
    }

    @Test("What is remembered of sessions that are over is forgotten; one that goes on issues no token twice")
    func endedSessions() throws {
        let clock = ManualClock()
        let (container, environment) = (TestServer.container, "development")
        let store = try RecordStore(writer: DatabaseQueue(), surroundings: clock.surroundings)
        let user = try store.addUser(name: "ada", container: container, environment: environment)
        let caller = try #require(
            try store.caller(userRecordName: user.userRecordName, container: container, environment: environment))
        func use(_ token: String) throws -> String {
            let answer = try store.authenticate(
                Credentials(apiToken: user.apiToken, webAuthToken: token), container: container,
                environment: environment, scope: .private, baseURL: "")
            return try #require(answer.nextWebAuthToken)
        }
        func remembered() -> Int { store.rotations.withLock { $0.rotations.count } }

        let first = try use(user.webAuthToken)
        for _ in 2..<RotationTable.smallest {
            let token = try store.writer.write { db in
                try store.insertSession(
                    of: try #require(caller.userID), environment: environment, lifetime: SessionLifetime.brief, db)
            }
            _ = try use(token)
        }
        #expect(remembered() == RotationTable.smallest - 1)
        clock.advance(seconds: 2 * 60 * 60)
        _ = try use(store.addUser(name: "ada", container: container, environment: environment).webAuthToken)
        #expect(remembered() == 2)
        let numbers = try [first, use(first)].map { try #require(WebAuthToken($0, store.key)).number }
        #expect(numbers[0] < numbers[1])
    }

    @Test("Two servers do not share a data directory")
    func locked() async throws {
        try await withTemporaryDirectory { directory in
            try await withServer(in: directory) { _ in
                let error = await #expect(throws: ServerError.self) {
                    try await withServer(in: directory) { _ in }
                }
                #expect(error?.code == .inUse)
            }
        }
    }

    @Test("No secret is stored as it is")
    func secrets() async throws {
        try await withTemporaryDirectory { directory in
            let user = try WebServicesServer.addUser(
                name: "ada", container: TestServer.container, environment: "development", in: directory)
            for name in ["server.sqlite", "server.sqlite-wal"] {
                guard let bytes = try? readFile(directory.appending(name)) else { continue }
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(!text.contains(user.apiToken) && !text.contains(user.webAuthToken))
            }
        }
    }
}
