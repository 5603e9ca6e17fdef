import CloudKitServer
import Testing

@Suite("The change feed (protocol §3.5, §10.6, §10.7)")
struct ChangeFeedTests {
    private func create(_ names: [String]) -> String {
        names.map { #"{"operationType":"create","record":{"recordType":"Note","recordName":"\#($0)"}}"# }
            .joined(separator: ",")
    }

    private func names(_ page: TestJSON) -> [String?] { page["records"].items.map { $0["recordName"].string } }

    @Test("Each record once, ordered by its last change, with tombstones; own tokens come back when caught up")
    func order() async throws {
        try await withServer { server in
            try await server.makeZone()
            _ = try await server.modify(create(["a", "b", "c"]))
            let first = try await server.changes()
            #expect(names(first) == ["a", "b", "c"] && first["moreComing"].bool == false)
            let token = first["syncToken"].string!
            #expect(try await server.changes(since: token)["syncToken"].string == token)
            #expect(try await server.changes(since: "")["records"].count == 0)
            #expect(try await server.changes(since: "")["syncToken"].string == token)

            let saved = try await server.modify(
                #"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"a","fields":{"x":{"value":1}}}},{"operationType":"forceDelete","record":{"recordName":"b"}}"#
            )
            let second = try await server.changes(since: token)
            #expect(names(second) == ["a", "b"])
            #expect(second["records"][0]["recordChangeTag"].string == saved["records"][0]["recordChangeTag"].string)
            #expect(second["records"][1].text == #"{"recordName":"b","deleted":true}"#)
            #expect(try await names(server.changes()) == ["c", "a", "b"])
            #expect(try await server.changes(since: token).text == second.text, "tokens are reusable")
        }
    }

    @Test("Pages hold what is asked for, at most 200, and a record changed while paging turns up again")
    func paging() async throws {
        try await withServer { server in
            try await server.makeZone()
            _ = try await server.modify(create((0..<150).map { "n\($0)" }))
            _ = try await server.modify(create((150..<250).map { "n\($0)" }))
            let first = try await server.changes(since: nil, #","resultsLimit":1000"#)
            #expect(first["records"].count == 200 && first["moreComing"].bool == true)
            _ = try await server.modify(
                #"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"n0"}}"#)
            let second = try await server.changes(since: first["syncToken"].string)
            #expect(second["records"].count == 51 && second["moreComing"].bool == false)
            #expect(names(second).last == "n0")
            let small = try await server.changes(since: nil, #","resultsLimit":3"#)
            #expect(names(small) == ["n1", "n2", "n3"] && small["moreComing"].bool == true)
        }
    }

    @Test("The deprecated records/changes gives the same pages with the same tokens, its errors as the request's")
    func recordsChanges() async throws {
        try await withServer { server in
            try await server.makeZone()
            _ = try await server.modify(create(["a", "b", "c"]))
            let zone = #""zoneID":{"zoneName":"Folder"}"#
            let first = try await server.post("records/changes", #"{\#(zone),"resultsLimit":2}"#)
            #expect(names(first.json) == ["a", "b"] && first["moreComing"].bool == true)
            let token = try #require(first["syncToken"].string)
            let second = try await server.post("records/changes", #"{\#(zone),"syncToken":"\#(token)"}"#)
            #expect(names(second.json) == ["c"] && second["moreComing"].bool == false)
            #expect(try await server.changes(since: token)["syncToken"].string == second["syncToken"].string)
            let gone = try await server.post("records/changes", #"{"zoneID":{"zoneName":"Nope"}}"#)
            #expect(gone.status == 404 && gone.code == "ZONE_NOT_FOUND")
            let feedless = try await server.post("records/changes", #"{"zoneID":{"zoneName":"_defaultZone"}}"#)
            #expect(feedless.status == 400 && feedless.reason == "cannot get changes in default zone")
        }
    }

    @Test("The deprecated zones/changes reads its token under metaSyncToken only (protocol §3.7)")
    func zonesChanges() async throws {
        try await withServer { server in
            try await server.makeZone()
            let first = try await server.post("zones/changes")
            #expect(first["zones"].items.map { $0["zoneID"]["zoneName"].string } == ["Folder"])
            let token = try #require(first["metaSyncToken"].string)
            let again = try await server.post("zones/changes", #"{"syncToken":"\#(token)"}"#)
            #expect(again["zones"].count == 1, "any other key is no token")
            let done = try await server.post("zones/changes", #"{"metaSyncToken":"\#(token)"}"#)
            #expect(done["zones"].count == 0 && done["moreComing"].bool == false)
        }
    }

    @Test("A page ends early where its records are large")
    func largePages() async throws {
        try await withServer { server in
            try await server.makeZone()
            let text = String(repeating: "x", count: 900_000)
            for index in 0..<6 {
                _ = try await server.modify(
                    #"{"operationType":"create","record":{"recordType":"Note","recordName":"n\#(index)","fields":{"t":{"value":"\#(text)"}}}}"#
                )
            }
            let first = try await server.changes()
            #expect(names(first) == ["n0", "n1", "n2", "n3"] && first["moreComing"].bool == true)
            #expect(try await names(server.changes(since: first["syncToken"].string)) == ["n4", "n5"])
        }
    }

    @Test("Keys at the top level are defaults, desiredKeys and desiredRecordTypes filter")
    func defaults() async throws {
        try await withServer { server in
            try await server.makeZone()
            _ = try await server.modify(
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"a","fields":{"x":{"value":1},"y":{"value":2}}}},{"operationType":"create","record":{"recordType":"Other","recordName":"b"}}"#
            )
            let reply = try await server.post(
                "changes/zone",
                #"{"zones":[{"zoneID":{"zoneName":"Folder"}}],"desiredKeys":["x"],"desiredRecordTypes":["Note"],"numberAsStrings":true}"#
            )
            let page = reply["zones"][0]
            #expect(names(page) == ["a"])
            #expect(page["records"][0]["fields"].text == #"{"x":{"value":"1","type":"INT64"}}"#)
            #expect(try await server.changes(since: page["syncToken"].string)["records"].count == 0)
        }
    }

    @Test("Bad tokens, absent zones and the default zone are errors of their own entry")
    func entryErrors() async throws {
        try await withServer { server in
            try await server.makeZone()
            try await server.makeZone("Other")
            let good = try await server.changes()["syncToken"].string!
            let database = try await server.post("changes/database")["syncToken"].string!
            for (token, reason) in [
                ("garbage", "Unknown sync continuation type"), (database, "Unknown sync continuation type"),
                (String(good.dropLast(4)), "Invalid continuation format"),
                (String(good.dropLast(5)), "Invalid continuation format"),
                (good.replacing(/.$/, with: good.hasSuffix("A") ? "B" : "A"), "Unknown sync continuation type"),
            ] {
                let page = try await server.changes(since: token)
                #expect(page["serverErrorCode"].string == "BAD_REQUEST" && page["reason"].string == reason)
                #expect(page["zoneID"]["zoneName"].string == "Folder")
            }
            let reply = try await server.post(
                "changes/zone",
                #"{"zones":[{"zoneID":{"zoneName":"Nope"}},{"zoneID":{"zoneName":"_defaultZone"}},{"zoneID":{"zoneName":"Other"},"syncToken":"\#(good)"},{"zoneID":{"zoneName":"Folder"}}]}"#
            )
            #expect(reply.status == 200)
            #expect(
                reply["zones"].items.map { $0["serverErrorCode"].string }
                    == ["ZONE_NOT_FOUND", "BAD_REQUEST", "BAD_REQUEST", nil])
            #expect(reply["zones"][1]["reason"].string == "cannot get changes in default zone")
        }
    }

    @Test("A zone that was deleted and made again is empty, and refuses the tokens and tags of its former self")
    func recreated() async throws {
        try await withServer { server in
            try await server.makeZone()
            let saved = try await server.modify(create(["a"]))
            let token = try await server.changes()["syncToken"].string!
            _ = try await server.post(
                "zones/modify", #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"Folder"}}}]}"#)
            #expect(try await server.changes(since: token)["serverErrorCode"].string == "ZONE_NOT_FOUND")
            try await server.makeZone()
            let old = try await server.changes(since: token)
            #expect(old["serverErrorCode"].string == "BAD_REQUEST")
            #expect(old["reason"].string == "Unknown sync continuation type")
            #expect(try await server.changes()["records"].count == 0)
            let again = try await server.modify(create(["a"]))
            #expect(again["records"][0]["recordChangeTag"].string != saved["records"][0]["recordChangeTag"].string)
        }
    }

    @Test("Tokens, records and tags go on after a restart, and no tag comes twice")
    func restart() async throws {
        try await withTemporaryDirectory { directory in
            let (token, web, tag) = try await withServer(in: directory) { server in
                try await server.makeZone()
                let saved = try await server.modify(create(["a", "b"]))
                return (
                    try await server.changes()["syncToken"].string!, server.currentToken,
                    saved["records"][1]["recordChangeTag"].string!
                )
            }
            try await withServer(in: directory) { server in
                server.use(web)
                #expect(try await server.changes(since: token)["records"].count == 0)
                #expect(try await server.changes(since: token)["syncToken"].string == token)
                let saved = try await server.modify(create(["c"]))
                #expect(try await names(server.changes(since: token)) == ["c"])
                #expect(try await names(server.changes()) == ["a", "b", "c"])
                #expect(saved["records"][0]["recordChangeTag"].string != tag)
                #expect(server.currentToken != web)
            }
        }
    }

    @Test("Users see nothing of each other's databases")
    func users() async throws {
        try await withServer { server in
            try await server.makeZone()
            _ = try await server.modify(create(["a"]))
            let token = try await server.changes()["syncToken"].string!
            let bob = TestServer(
                server: server.server, port: server.port,
                user: try server.server.store.addUser(
                    name: "bob", container: TestServer.container, environment: "development"))
            #expect(try await bob.changes()["serverErrorCode"].string == "ZONE_NOT_FOUND")
            try await bob.makeZone()
            #expect(try await bob.changes()["records"].count == 0)
            #expect(try await bob.changes(since: token)["serverErrorCode"].string == "BAD_REQUEST")
        }
    }
}
