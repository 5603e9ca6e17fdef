import CloudKitServer
import Testing

@Suite("The public database (protocol §1, §2, §8.1)")
struct PublicDatabaseTests {
    private static let place = "/database/1/\(TestServer.container)/development/public"

    /// Who calls: the first person, another one, or an API token alone.
    enum Who: String, CaseIterable, Sendable { case ada, bob, anyone }

    private func call(
        _ server: TestServer, as who: Who = .ada, _ operation: String, _ body: String?
    ) async throws -> TestServer.Reply {
        let path = "\(Self.place)/\(operation)"
        let method = body == nil ? "GET" : "POST"
        switch who {
        case .ada: return try await server.send(method, path, body)
        case .bob:
            let user = try server.server.store.addUser(
                name: "bob", container: TestServer.container, environment: "development")
            return try await TestServer(server: server.server, port: server.port, user: user).send(method, path, body)
        case .anyone:
            return try await server.sendRaw(
                method, path + "?ckAPIToken=\(server.user.apiToken)", body.map { Array($0.utf8) })
        }
    }

    private func save(
        _ server: TestServer, as who: Who = .ada, _ kind: String = "forceUpdate", _ title: String = "x",
        tag: String = ""
    ) async throws -> TestJSON {
        let reply = try await call(
            server, as: who, "records/modify",
            #"{"operations":[{"operationType":"\#(kind)","record":{"recordType":"Note","recordName":"n"\#(tag),"fields":{"title":{"value":"\#(title)"}}}}]}"#
        )
        #expect(reply.status == 200, "\(reply.text)")
        return reply["records"][0]
    }

    private func look(_ server: TestServer, as who: Who) async throws -> TestJSON {
        try await call(server, as: who, "records/lookup", #"{"records":[{"recordName":"n"}]}"#)["records"][0]
    }

    @Test("As usual, the signed-in make records, everybody reads them, and only who made one changes it")
    func usualGrants() async throws {
        try await withServer { server in
            #expect(try await save(server, as: .anyone)["serverErrorCode"].string == "ACCESS_DENIED")
            let made = try await save(server)
            #expect(made["created"]["userRecordName"].string == server.user.userRecordName)
            for who in Who.allCases {
                #expect(try await look(server, as: who)["fields"]["title"]["value"].string == "x")
            }
            for who in [Who.bob, .anyone] {
                for kind in ["forceUpdate", "forceReplace", "forceDelete"] {
                    let refused = try await save(server, as: who, kind, "y")
                    #expect(refused["serverErrorCode"].string == "ACCESS_DENIED")
                    #expect(refused["reason"].string == "WRITE operation not permitted")
                }
                // Whoever may not write learns nothing of tags.
                let stale = try await save(server, as: who, "update", "y", tag: #","recordChangeTag":"0""#)
                #expect(stale["serverErrorCode"].string == "ACCESS_DENIED")
            }
            #expect(try await save(server, "forceUpdate", "z")["fields"]["title"]["value"].string == "z")
            #expect(try await save(server, "forceDelete")["deleted"].bool == true)
        }
    }

    @Test(
        "What is granted counts, to each role for itself",
        arguments: [
            ([("_world", "READ"), ("_world", "WRITE"), ("_world", "CREATE")], ["ada", "bob", "anyone"], true),
            ([("_icloud", "READ"), ("_icloud", "WRITE")], ["ada", "bob"], true),
            ([("_creator", "READ"), ("_creator", "WRITE")], ["ada"], true),
            ([("_icloud", "READ")], ["ada", "bob"], false),
            ([("editor", "READ")], [], false),
        ])
    func grants(grants: [(String, String)], readers: [String], mayWrite: Bool) async throws {
        try await withServer { server in
            _ = try await save(server)
            try server.grant(grants.map { (role: $0.0, permission: $0.1) }, of: "Note")
            for who in Who.allCases {
                let mayRead = readers.contains(who.rawValue)
                let found = try await look(server, as: who)
                #expect(found["serverErrorCode"].string == (mayRead ? nil : "NOT_FOUND"))
                let saved = try await save(server, as: who)
                #expect(saved["serverErrorCode"].isAbsent == (mayRead && mayWrite))
            }
        }
    }

    @Test("A query finds what may be read: all, one's own, or it is refused as a whole")
    func queries() async throws {
        try await withServer { server in
            _ = try await save(server)
            try server.allowQueries(of: "Note", bySystemFields: ["___recordID"])
            let query = #"{"query":{"recordType":"Note"}}"#
            for who in Who.allCases {
                #expect(try await call(server, as: who, "records/query", query)["records"].count == 1)
            }
            try server.grant([("_creator", "READ")], of: "Note")
            #expect(try await call(server, "records/query", query)["records"].count == 1)
            #expect(try await call(server, as: .bob, "records/query", query)["records"].count == 0)
            let refused = try await call(server, as: .anyone, "records/query", query)
            #expect(refused.status == 403)
            #expect(refused.code == "ACCESS_DENIED")
        }
    }

    @Test(
        "It has one zone and no feed",
        arguments: [
            ("changes/database", "{}"), ("changes/zone", #"{"zones":[]}"#), ("zones/changes", "{}"),
            ("records/changes", #"{"zoneID":{"zoneName":"_defaultZone"}}"#), ("zones/modify", #"{"operations":[]}"#),
        ])
    func feeds(operation: String, body: String) async throws {
        try await withServer { server in
            let reply = try await call(server, operation, body)
            #expect(reply.status == 400)
            #expect(reply.reason == "endpoint not applicable in the database type 'publicdb'")
            let zones = try await call(server, "zones/list", nil)
            #expect(zones["zones"].items.compactMap { $0["zoneID"]["zoneName"].string } == ["_defaultZone"])
        }
    }

    @Test("Each person has subscriptions of their own, and is told of the records that their query finds")
    func subscriptions() async throws {
        try await withServer { server in
            _ = try await save(server, "forceUpdate", "other")
            let created = try await call(
                server, "subscriptions/modify",
                #"""
                {"operations":[{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"query",
                "firesOn":["update"],"query":{"recordType":"Note","filterBy":[
                {"comparator":"EQUALS","fieldName":"title","fieldValue":{"value":"wanted"}}]}}}]}
                """#)
            #expect(created["subscriptions"][0]["subscriptionID"].string == "s", "\(created.text)")
            #expect(try await call(server, as: .bob, "subscriptions/list", nil)["subscriptions"].count == 0)
            let token = try await server.send(
                "POST", "/device/1/\(TestServer.container)/development/tokens/create",
                #"{"apnsEnvironment":"development"}"#)
            for title in ["unwanted", "wanted"] { _ = try await save(server, "forceUpdate", title) }
            let push = try await server.sendRaw("GET", try #require(token["webcourierURL"].string), nil)
            let target = push["ck"]["qry"]
            #expect(target["sid"].string == "s")
            #expect(target["rid"].string == "n")
            #expect(target["fo"].int == 2)
            #expect(target["dbs"].int == 1)
        }
    }

    @Test("Nobody is told of a record that they may not read, however their subscription asks")
    func unreadablePushes() async throws {
        try await withServer { server in
            _ = try await save(server)
            try server.grant([("_creator", "READ"), ("_creator", "WRITE"), ("_icloud", "CREATE")], of: "Note")
            let bob = try server.server.store.addUser(
                name: "bob", container: TestServer.container, environment: "development")
            let other = TestServer(server: server.server, port: server.port, user: bob)
            for person in [server, other] {
                _ = try await person.send(
                    "POST", "\(Self.place)/subscriptions/modify",
                    #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"query","query":{"recordType":"Note"}}}]}"#
                )
            }
            var couriers: [String] = []
            for person in [server, other] {
                let token = try await person.send(
                    "POST", "/device/1/\(TestServer.container)/development/tokens/create",
                    #"{"apnsEnvironment":"development"}"#)
                couriers.append(try #require(token["webcourierURL"].string))
            }
            _ = try await save(server, "forceUpdate", "secret")
            #expect(try await server.sendRaw("GET", couriers[0], nil)["ck"]["qry"]["rid"].string == "n")
            // What Bob hears next is of his own record.
            _ = try await other.send(
                "POST", "\(Self.place)/records/modify",
                #"{"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"own","fields":{}}}]}"#
            )
            #expect(try await server.sendRaw("GET", couriers[1], nil)["ck"]["qry"]["rid"].string == "own")
        }
    }

    @Test("A query subscription that fires once is gone afterwards; one that never could is refused")
    func firesOnce() async throws {
        try await withServer { server in
            _ = try await save(server)
            func subscribe(_ more: String) async throws -> TestJSON {
                try await call(
                    server, "subscriptions/modify",
                    #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"query"\#(more)}}]}"#
                )["subscriptions"][0]
            }
            let query = #","query":{"recordType":"Note","filterBy":[]}"#
            #expect(try await subscribe(query + #","firesOnce":true"#)["subscriptionID"].string == "s")
            _ = try await save(server, "forceDelete")
            #expect(try await call(server, "subscriptions/list", nil)["subscriptions"].count == 0)
            #expect(try await subscribe(query + #","firesOn":["rename"]"#)["serverErrorCode"].string == "BAD_REQUEST")
            #expect(try await subscribe("")["serverErrorCode"].string == "BAD_REQUEST")
        }
    }

    @Test("Assets come without keys, and nobody may upload who may not save")
    func assets() async throws {
        try await withServer { server in
            _ = try await save(server)
            let request = #"{"tokens":[{"recordType":"Note","recordName":"n","fieldName":"file"}]}"#
            #expect(try await call(server, as: .anyone, "assets/upload", request).status == 403)
            let url = try #require(try await call(server, "assets/upload", request)["tokens"][0]["url"].string)
            let receipt = try await server.sendRaw("POST", url, [1, 2, 3])
            let file = receipt["singleFile"]
            #expect(file["wrappingKey"].isAbsent && file["referenceChecksum"].isAbsent)
            let saved = try await call(
                server, "records/modify",
                #"{"operations":[{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"n","fields":{"file":{"type":"ASSETID","value":\#(file.text!)}}}}]}"#
            )
            let link = try #require(saved["records"][0]["fields"]["file"]["value"]["downloadURL"].string)
            #expect(try await server.sendRaw("GET", link.replacing("${f}", with: "x"), nil).body == [1, 2, 3])
        }
    }

    @Test("Nothing is encrypted in the public database, and nothing is atomic")
    func refusals() async throws {
        try await withServer { server in
            let encrypted = try await call(
                server, "records/modify",
                #"{"operations":[{"operationType":"create","record":{"recordType":"Note","fields":{"s":{"value":"x","type":"STRING","isEncrypted":true}}}}]}"#
            )["records"][0]
            #expect(encrypted["reason"].string == "encrypted fields are not supported in the public database")
            let atomic = try await call(server, "records/modify", #"{"atomic":true,"operations":[]}"#)
            #expect(atomic.status == 400)
        }
    }

    @Test("Others are found by the address that is their name, oneself by record name, too")
    func users() async throws {
        try await withServer { server in
            let store = server.server.store
            let eve = try store.addUser(
                name: "eve@example.org", container: TestServer.container, environment: "development")
            let (ada, name) = (server.user.userRecordName, eve.userRecordName)
            let found = try await call(
                server, "users/discover",
                #"{"lookupInfos":[{"emailAddress":"eve@example.org"},{"userRecordName":"\#(name)"},{"userRecordName":"\#(ada)"},{"emailAddress":"nobody@example.org"},{"phoneNumber":"1"}]}"#
            )
            #expect(found["users"].items.map { $0["userRecordName"].string } == [name, ada])
            #expect(found["users"][0]["lookupInfo"]["emailAddress"].string == "eve@example.org")
            let byAddress = try await call(
                server, "users/lookup/email", #"{"users":[{"emailAddress":"eve@example.org"}]}"#)
            #expect(byAddress["users"][0]["userRecordName"].string == name)
            let byName = try await call(
                server, "users/lookup/id", #"{"users":[{"userRecordName":"\#(name)"},{"userRecordName":"\#(ada)"}]}"#)
            #expect(byName["users"].items.map { $0["userRecordName"].string } == [ada])
            #expect(try await call(server, "users/lookup/contacts", "{}")["users"].count == 0)
            #expect(try await call(server, as: .anyone, "users/lookup/contacts", "{}").status == 421)
        }
    }
}
