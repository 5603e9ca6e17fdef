import CloudKitServer
import Testing

@testable import CloudKitServer

/// Credentials that open nothing of Ada's.
private enum Stranger: CaseIterable, Sendable {
    case nobody, world, otherPerson, otherPersonsTokenWithAdasAPIToken, otherContainer, otherEnvironment, void, damaged
    case wrongAPIToken

    /// The query of a request, for a server of which Ada is the user.
    func query(_ server: TestServer) throws -> String {
        let store = server.server.store
        func query(_ apiToken: String, _ webAuthToken: String?) -> String {
            "ckAPIToken=\(apiToken)" + (webAuthToken.map { "&ckWebAuthToken=\(encoded($0))" } ?? "")
        }
        func user(
            _ name: String, _ container: String = TestServer.container, _ environment: String = "development"
        ) throws -> NewUser {
            try store.addUser(name: name, container: container, environment: environment)
        }
        switch self {
        case .nobody: return ""
        case .world: return query(server.user.apiToken, nil)
        case .otherPerson:
            let bob = try user("bob")
            return query(bob.apiToken, bob.webAuthToken)
        case .otherPersonsTokenWithAdasAPIToken: return query(server.user.apiToken, try user("bob").webAuthToken)
        case .otherContainer:
            let ada = try user("ada", "iCloud.other")
            return query(ada.apiToken, ada.webAuthToken)
        case .otherEnvironment:
            let ada = try user("ada", TestServer.container, "production")
            return query(ada.apiToken, ada.webAuthToken)
        case .void: return query(server.user.apiToken, "106__54__" + String(repeating: "A", count: 64))
        case .damaged:
            let token = server.user.webAuthToken
            return query(server.user.apiToken, String(token.dropLast(4)) + (token.hasSuffix("AAA=") ? "BBB=" : "AAA="))
        case .wrongAPIToken: return query(String(repeating: "0", count: 64), server.user.webAuthToken)
        }
    }
}

@Suite("One person's credentials open nothing of another's (protocol §2)")
struct IsolationTests {
    /// What only Ada may ever read.
    private static let secret = "Adas-secret"

    /// A body that every operation finds its own part in, all of it Ada's.
    private static func body(
        _ operation: RequestTarget.Operation, owner: String, syncToken: String, shortGUID: String
    ) -> String {
        let zone = #"{"zoneName":"\#(secret)","ownerRecordName":"\#(owner)"}"#
        let record = #"{"recordName":"\#(secret)","recordType":"Note","fields":{"text":{"value":"taken"}}}"#
        let subscription = #"{"subscriptionID":"\#(secret)","subscriptionType":"zone","zoneID":\#(zone)}"#
        let operations =
            switch operation.rawValue.split(separator: "/").first {
            case "zones": #"[{"operationType":"delete","zone":{"zoneID":\#(zone)}}]"#
            case "subscriptions": #"[{"operationType":"delete","subscription":\#(subscription)}]"#
            default:
                #"[{"operationType":"forceReplace","record":\#(record)},{"operationType":"forceDelete","record":{"recordName":"\#(secret)2"}}]"#
            }
        return """
            {"zoneID":\(zone),"zones":[{"zoneID":\(zone),"zoneName":"\(secret)","ownerRecordName":"\(owner)",\
            "syncToken":"\(syncToken)"}],"syncToken":"\(syncToken)","records":[{"recordName":"\(secret)"}],\
            "operations":\(operations),"subscriptions":[{"subscriptionID":"\(secret)"}],"query":{"recordType":"Note"},\
            "tokens":[{"recordType":"Note","recordName":"\(secret)","fieldName":"image"}],\
            "assets":[{"recordName":"\(secret)","fieldName":"image"}],"apnsEnvironment":"development",\
            "apnsToken":"QUJDRA==","users":[{"userRecordName":"\(owner)"}],"lookupInfos":[{"userRecordName":"\(owner)"}],\
            "shortGUIDs":[{"value":"\(shortGUID)","shouldFetchRootRecord":true}]}
            """
    }

    private static func path(_ operation: RequestTarget.Operation, _ scope: DatabaseScope) -> String {
        operation.isToken
            ? "/device/1/\(TestServer.container)/development/\(operation.rawValue)"
            : "/database/1/\(TestServer.container)/development/\(scope.rawValue)/\(operation.rawValue)"
    }

    /// All that Ada's database holds, as she reads it.
    private func state(_ server: TestServer) async throws -> [String] {
        let changes = try await server.post(
            "changes/zone", #"{"zones":[{"zoneID":{"zoneName":"\#(Self.secret)"}}]}"#)
        return [
            try await server.get("zones/list").text, changes.text, try await server.get("subscriptions/list").text,
        ]
    }

    @Test("Every operation in every database, with every kind of foreign credentials", arguments: Stranger.allCases)
    fileprivate func matrix(_ stranger: Stranger) async throws {
        try await withServer { server in
            try await server.makeZone(Self.secret)
            for name in [Self.secret, Self.secret + "2"] {
                let saved = try await server.modify(
                    #"{"operationType":"create","record":{"recordType":"Note","recordName":"\#(name)","fields":{"text":{"value":"\#(Self.secret)"}}}}"#,
                    zone: Self.secret)
                try #require(saved.status == 200)
            }
            _ = try await server.post(
                "subscriptions/modify",
                #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"\#(Self.secret)","subscriptionType":"zone","zoneID":{"zoneName":"\#(Self.secret)"}}}]}"#
            )
            let share = try await server.modify(
                #"{"operationType":"create","record":{"recordType":"cloudkit.share","recordName":"cloudkit.zoneshare"}}"#,
                zone: Self.secret)
            let shortGUID = try #require(share["records"][0]["shortGUID"].string)
            let before = try await state(server)
            #expect(before.allSatisfy { $0.contains(Self.secret) })
            let databaseToken = try #require(try await server.post("changes/database")["syncToken"].string)
            let query = try stranger.query(server)

            for operation in RequestTarget.Operation.allCases {
                for scope in DatabaseScope.allCases {
                    for method in operation.methods {
                        let body = Self.body(
                            operation, owner: server.user.userRecordName, syncToken: databaseToken, shortGUID: shortGUID
                        )
                        let reply = try await server.sendRaw(
                            method, Self.path(operation, scope) + "?" + query, method == "GET" ? nil : Array(body.utf8))
                        let place = "\(method) \(scope.rawValue) \(operation.rawValue): \(reply.text.prefix(300))"
                        // What a request names comes back in errors and acknowledgements; what Ada wrote does not.
                        #expect(!reply.text.contains(#""value":"\#(Self.secret)""#), "\(place)")
                        if method == "GET" { #expect(!reply.text.contains(Self.secret), "\(place)") }
                        let isMissingPerson = operation.access(in: scope) != .anyone
                        if [.nobody, .wrongAPIToken, .otherContainer, .otherEnvironment].contains(stranger) {
                            #expect(reply.status == 401, "\(place)")
                        } else if [.void, .damaged].contains(stranger) || stranger == .world && isMissingPerson {
                            #expect(reply.status == 421 && !reply["redirectURL"].isAbsent, "\(place)")
                        }
                        if operation.isAboutPeople {
                            #expect(!reply.text.contains(server.user.userRecordName), "\(place)")
                        }
                    }
                }
            }
            #expect(try await state(server) == before)
        }
    }
}
