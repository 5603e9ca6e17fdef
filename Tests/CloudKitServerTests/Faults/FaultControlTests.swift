import CloudKitServer
import Testing

/// Rules, and what a client sees under them.
struct FaultRow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var before: [Exchange]
    var rule: String
    var after: [Exchange]

    init(_ name: String, given before: [Exchange] = [.zone("F")], _ rule: String, _ after: [Exchange]) {
        testDescription = name
        self.before = before
        self.rule = rule
        self.after = after
    }
}

@Suite("Faults on demand (protocol §10.13)")
struct FaultControlTests {
    private static let path = "/faults/s3cret"

    /// Runs a server that fails on demand.
    private func withFaults(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await withServer({ $0.faultSecret = "s3cret" }, body)
    }

    private func ask(_ server: TestServer, _ rule: String) async throws {
        let reply = try await server.sendRaw("POST", Self.path, Array(rule.utf8))
        #expect(reply.status == 200, "\(reply.text)")
    }

    @Test("A server that was not asked to fail has no such path", arguments: ["GET", "POST", "DELETE"])
    func off(method: String) async throws {
        try await withServer { server in
            for path in ["/faults", "/faults/", "/faults/s3cret", "/faults/s3cret/1"] {
                let reply = try await server.sendRaw(method, path, nil)
                #expect(reply.status == 404 && reply.code == "NOT_FOUND")
            }
        }
    }

    @Test("Without the secret there is no such path either")
    func secret() async throws {
        try await withFaults { server in
            for path in ["/faults", "/faults/wrong", "/faults/s3cre", "/faults/s3crett", "/faults/s3cret/x"] {
                let reply = try await server.sendRaw("GET", path, nil)
                #expect(reply.status == 404)
            }
            let reply = try await server.sendRaw("PATCH", Self.path, nil)
            #expect(reply.status == 405)
        }
    }

    @Test("Rules are listed with what they met, and withdrawn one by one or all")
    func control() async throws {
        try await withFaults { server in
            let first = try await server.sendRaw(
                "POST", Self.path,
                Array(
                    #"[{"match":{"operation":"zones/list"},"fault":{"kind":"refuse","code":"ZONE_BUSY"},"times":1},{"fault":{"kind":"delay","seconds":0},"after":1}]"#
                        .utf8))
            #expect(first["rules"].items.map { $0["id"].int } == [1, 2])
            #expect(try await server.get("zones/list").status == 503)
            #expect(try await server.get("zones/list").status == 200)
            let listed = try await server.sendRaw("GET", Self.path, nil)
            #expect(listed["rules"].items.map { $0["seen"].int } == [2, 2])
            #expect(listed["rules"].items.map { $0["hits"].int } == [1, 1])
            #expect(listed["rules"][0]["rule"]["match"]["operation"].string == "zones/list")
            #expect(try await server.sendRaw("GET", Self.path + "/2", nil)["rules"].count == 1)
            #expect(try await server.sendRaw("DELETE", Self.path + "/1", nil)["rules"].count == 1)
            #expect(try await server.sendRaw("DELETE", Self.path + "/1", nil).status == 404)
            #expect(try await server.sendRaw("DELETE", Self.path, nil)["rules"].count == 0)
        }
    }

    @Test("Of a list with one wrong rule none comes into force")
    func allOrNothing() async throws {
        try await withFaults { server in
            let rules = #"[{"fault":{"kind":"account","state":"refused"}},{"fault":{"kind":"nothing"}}]"#
            let reply = try await server.sendRaw("POST", Self.path, Array(rules.utf8))
            #expect(reply.status == 400 && reply.reason?.contains("'kind' must be one of") == true)
            #expect(try await server.get("zones/list").status == 200)
        }
    }

    static let rows: [FaultRow] = [
        FaultRow(
            "throttled, as TN3162 shows it",
            #"{"match":{"operation":"records/*"},"times":1,"fault":{"kind":"refuse","code":"THROTTLED","reason":"Database throttled, retry later","retryAfter":110207}}"#,
            [
                .get("zones/list"),
                .post(
                    "records/modify", #"{"zoneID":{"zoneName":"F"},"operations":[]}"#, 429,
                    #"{"serverErrorCode":"THROTTLED","retryAfter":110207}"#),
                .note("a"),
            ]),
        FaultRow(
            "RETRY_LATER, which only clients' lists know",
            #"{"fault":{"kind":"refuse","code":"RETRY_LATER","status":503},"times":1}"#,
            [.get("zones/list", 503, #"{"serverErrorCode":"RETRY_LATER"}"#), .get("zones/list")]),
        FaultRow(
            "the account is restricted", #"{"fault":{"kind":"account","state":"restricted"}}"#,
            [.get("users/caller", 403, #"{"serverErrorCode":"ACCESS_DENIED"}"#)]),
        FaultRow(
            "the account is temporarily unavailable", #"{"fault":{"kind":"account","state":"temporarilyUnavailable"}}"#,
            [.get("users/caller", 503, #"{"serverErrorCode":"TRY_AGAIN_LATER","reason":"<has account>"}"#)]),
        FaultRow(
            "signed out", #"{"fault":{"kind":"account","state":"signedOut"}}"#,
            [
                .get(
                    "users/caller", 421,
                    #"{"serverErrorCode":"AUTHENTICATION_REQUIRED","redirectURL":"<has 127.0.0.1>"}"#)
            ]),
        FaultRow(
            "credentials refused", #"{"fault":{"kind":"account","state":"refused"}}"#,
            [.get("users/caller", 401, #"{"serverErrorCode":"AUTHENTICATION_FAILED"}"#)]),
        FaultRow(
            "somebody else", #"{"fault":{"kind":"otherUser","userRecordName":"_other"}}"#,
            [.get("users/caller", 200, #"{"userRecordName":"_other"}"#)]),
        FaultRow(
            "an expired token, once", given: [.zone("F"), .changes("", #"{"syncToken":"$t"}"#), .note("a")],
            #"{"match":{"zone":"F"},"fault":{"kind":"expireTokens"},"times":1}"#,
            [
                .changes(
                    #""syncToken":"$t""#,
                    #"{"zoneID":{"zoneName":"F"},"serverErrorCode":"BAD_REQUEST","reason":"Unknown sync continuation type"}"#
                ),
                .changes(#""syncToken":"$t""#, #"{"records":[{"recordName":"a"}]}"#),
            ]),
        FaultRow(
            "an expired database token", given: [.post("changes/database", "{}", 200, #"{"syncToken":"$t"}"#)],
            #"{"fault":{"kind":"expireTokens"}}"#,
            [
                .refused("changes/database", #"{"syncToken":"$t"}"#),
                .post("changes/database"),
            ]),
        FaultRow(
            "empty pages, and then all that there is", given: [.zone("F"), .note("a"), .note("b")],
            #"{"match":{"operation":"changes/zone"},"fault":{"kind":"emptyPage"},"times":2}"#,
            [
                .changes("", #"{"records":[],"moreComing":true,"syncToken":"$one"}"#),
                .changes(#""syncToken":"$one""#, #"{"records":[],"moreComing":true,"syncToken":"$two"}"#),
                .changes(
                    #""syncToken":"$two""#,
                    #"{"records":[{"recordName":"a"},{"recordName":"b"}],"moreComing":false,"syncToken":"$end"}"#),
                .changes(#""syncToken":"$end""#, #"{"records":[],"syncToken":"$end"}"#),
            ]),
        FaultRow(
            "a standing token", given: [.zone("F"), .changes("", #"{"syncToken":"$t"}"#), .note("a")],
            #"{"fault":{"kind":"standingToken"}}"#,
            [.changes(#""syncToken":"$t""#, #"{"records":[{"recordName":"a"}],"moreComing":true,"syncToken":"$t"}"#)]),
        FaultRow(
            "small pages, children first, no tombstones",
            given: [.zone("F"), .note("a"), .note("b"), .note("c"), .deletion("c")],
            #"[{"fault":{"kind":"pageSize","records":2}},{"fault":{"kind":"childrenFirst"}},{"fault":{"kind":"dropTombstones"}}]"#,
            [
                .changes(
                    "", #"{"records":[{"recordName":"b"},{"recordName":"a"}],"moreComing":true,"syncToken":"$t"}"#),
                .changes(#""syncToken":"$t""#, #"{"records":[],"moreComing":false,"syncToken":"$end"}"#),
            ]),
        FaultRow(
            "one record of a save fails, the others are saved",
            #"{"fault":{"kind":"recordError","recordName":"b","code":"INTERNAL_ERROR"}}"#,
            [
                .modify(
                    #"{"operationType":"create","record":{"recordType":"N","recordName":"a"}},{"operationType":"create","record":{"recordType":"N","recordName":"b"}},{"operationType":"create","record":{"recordType":"N","recordName":"c"}}"#,
                    #"{"records":[{"recordName":"a","recordChangeTag":"<string>"},{"recordName":"b","serverErrorCode":"INTERNAL_ERROR"},{"recordName":"c","recordChangeTag":"<string>"}]}"#
                ),
                .lookup("a", #"{"recordType":"N"}"#),
                .changes("", #"{"records":[{"recordName":"a"},{"recordName":"c"}]}"#),
            ]),
        FaultRow(
            "one record of an atomic save fails, and nothing is saved",
            #"{"fault":{"kind":"recordError","recordName":"b","code":"CONFLICT"},"times":1}"#,
            [
                .modify(
                    #"{"operationType":"create","record":{"recordType":"N","recordName":"a"}},{"operationType":"create","record":{"recordType":"N","recordName":"b"}}"#,
                    #"{"records":[{"recordName":"a","serverErrorCode":"ATOMIC_ERROR"},{"recordName":"b","serverErrorCode":"CONFLICT"}]}"#,
                    atomic: true),
                .changes("", #"{"records":[]}"#),
            ]),
        FaultRow(
            "a zone that somebody deletes just then",
            given: [.zone("F", "G"), .post("changes/database", "{}", 200, #"{"syncToken":"$t"}"#)],
            #"{"match":{"operation":"records/modify","zone":"F"},"fault":{"kind":"endZone","how":"delete"},"times":1}"#,
            [
                .refused("records/modify", #"{"zoneID":{"zoneName":"F"},"operations":[]}"#, 404, "ZONE_NOT_FOUND"),
                .post(
                    "changes/database", #"{"syncToken":"$t"}"#, 200,
                    #"{"zones":[{"zoneID":{"zoneName":"F"},"deleted":true}]}"#),
            ]),
        FaultRow(
            "everything purged",
            given: [.zone("F", "G")],
            #"{"match":{"operation":"zones/list"},"fault":{"kind":"endZone","how":"purge"},"times":1}"#,
            [.get("zones/list", 200, #"{"zones":[{"zoneID":{"zoneName":"_defaultZone"}}]}"#)]),
        FaultRow(
            "a zone that is reset: there again, empty, and not the same",
            given: [.zone("F"), .note("a"), .changes("", #"{"syncToken":"$t"}"#)],
            #"{"match":{"operation":"changes/zone","zone":"F"},"fault":{"kind":"endZone","how":"reset"},"times":1}"#,
            [
                .changes(#""syncToken":"$t""#, #"{"serverErrorCode":"BAD_REQUEST"}"#),
                .changes("", #"{"records":[],"moreComing":false}"#),
            ]),
    ]

    @Test("What a client sees", arguments: rows)
    func table(row: FaultRow) async throws {
        try await withFaults { server in
            try await server.check(
                row.before + [
                    .init(
                        method: "POST", operation: Self.path, body: row.rule, status: 200, answer: #"{"rules":"<any>"}"#
                    )
                ] + row.after)
        }
    }

    @Test("An answer that is no JSON, with its own header")
    func foreignAnswer() async throws {
        try await withFaults { server in
            try await ask(
                server,
                #"{"fault":{"kind":"answer","status":503,"body":"<html>","headers":{"Retry-After":"30"}},"times":1}"#)
            let reply = try await server.get("zones/list")
            #expect(reply.status == 503 && reply.text == "<html>" && reply.header("Retry-After") == "30")
            #expect(reply.header("Content-Type") == "text/html")
            try await ask(
                server, #"{"fault":{"kind":"refuse","code":"TRY_AGAIN_LATER","retryAfter":3,"retryAfterHeader":"9"}}"#)
            let other = try await server.get("zones/list")
            #expect(other.status == 503 && other["retryAfter"].int == 3 && other.header("Retry-After") == "9")
        }
    }

    @Test("A connection is cut before the commit, after it, or in the middle of the answer")
    func cuts() async throws {
        try await withFaults { server in
            try await server.makeZone("F")
            let create = { (name: String) in
                #"{"operationType":"create","record":{"recordType":"N","recordName":"\#(name)"}}"#
            }
            for (moment, isThere) in [("beforeCommit", false), ("afterCommit", true), ("inBody", true)] {
                try await ask(
                    server,
                    #"{"match":{"operation":"records/modify"},"fault":{"kind":"cut","when":"\#(moment)"},"times":1}"#)
                await #expect(throws: (any Error).self) { try await server.modify(create(moment), zone: "F") }
                let again = try await server.modify(create(moment), zone: "F")["records"][0]
                #expect((again["serverErrorCode"].string == "CONFLICT") == isThere, "\(moment)")
            }
        }
    }

    @Test("A slow answer comes whole, in pieces")
    func slowBody() async throws {
        try await withFaults { server in
            try await ask(server, #"{"fault":{"kind":"slowBody","seconds":0.1}}"#)
            #expect(try await server.get("zones/list")["zones"].count == 1)
        }
    }

    @Test("The content host can misdirect, and its download can break off or have as many wrong bytes")
    func contentHost() async throws {
        try await withFaults { server in
            try await server.makeZone()
            let token = #"{"zoneID":{"zoneName":"Folder"},"tokens":[{"recordName":"a","fieldName":"f"}]}"#
            let url = try await server.post("assets/upload", token)["tokens"][0]["url"].string!
            try await ask(
                server,
                #"[{"match":{"operation":"assets/upload-bytes"},"fault":{"kind":"answer","status":421},"times":1},{"match":{"operation":"assets/download"},"fault":{"kind":"cut","when":"inBody"},"times":1}]"#
            )
            #expect(try await server.sendRaw("POST", url, [1, 2, 3]).status == 421)
            let asset = try await server.sendRaw("POST", url, [1, 2, 3])["singleFile"].text!
            let saved = try await server.modify(
                #"{"operationType":"create","record":{"recordType":"T","recordName":"a","fields":{"f":{"value":\#(asset),"type":"ASSETID"}}}}"#
            )
            let link = saved["records"][0]["fields"]["f"]["value"]["downloadURL"].string!.replacing("${f}", with: "f")
            await #expect(throws: (any Error).self) { try await server.sendRaw("GET", link, nil) }
            #expect(try await server.sendRaw("GET", link, nil).body == [1, 2, 3])
            // Of other answers nothing changes.
            try await ask(server, #"{"match":{"operation":"*"},"fault":{"kind":"wrongBytes"}}"#)
            #expect(try await server.sendRaw("GET", link, nil).body == [254, 253, 252])
            #expect(try await server.get("zones/list")["zones"].count == 2)
        }
    }

    @Test("A query under a stale index misses what was created lately, a lookup does not, and later the query finds it")
    func staleIndex() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) {
            $0.faultSecret = "s3cret"
        } _: { server in
            try await ask(server, #"{"match":{"zone":"F"},"fault":{"kind":"staleIndex","seconds":60}}"#)
            try await server.check([.zone("F", "G"), .note("old")])
            try server.allowQueries(of: "Note", bySystemFields: ["___recordID"])
            func query(_ names: String...) -> Exchange {
                .post(
                    "records/query", #"{"zoneID":{"zoneName":"F"},"query":{"recordType":"Note"}}"#, 200,
                    #"{"records":[\#(names.map { #"{"recordName":"\#($0)"}"# }.joined(separator: ","))]}"#)
            }
            clock.advance(seconds: 59)
            try await server.check([.note("new"), .lookup("new", #"{"recordType":"Note"}"#), query()])
            clock.advance(seconds: 1)
            try await server.check([query("old")])
            clock.advance(seconds: 59)
            try await server.check([query("new", "old")])
        }
    }

    @Test("A rule for one user leaves the others alone")
    func oneUser() async throws {
        try await withFaults { server in
            let other = try server.server.store.addUser(
                name: "bob", container: TestServer.container, environment: "development")
            try await ask(
                server,
                #"{"match":{"user":"\#(other.userRecordName)"},"fault":{"kind":"account","state":"restricted"}}"#)
            #expect(try await server.get("zones/list").status == 200)
            let bob = TestServer(server: server.server, port: server.port, user: other)
            #expect(try await bob.get("zones/list").status == 403)
        }
    }
}
