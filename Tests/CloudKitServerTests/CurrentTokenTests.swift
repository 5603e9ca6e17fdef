import CloudKitServer
import Testing

/// `getCurrentSyncToken=true` in the URL (protocol §1).
@Suite("The zone's current token, in answers about its records (protocol §1)")
struct CurrentTokenTests {
    private static let wanted = "?getCurrentSyncToken=true"
    private static let note = #"{"operationType":"create","record":{"recordType":"Note","recordName":"NAME"}}"#

    @Test("A query, a look-up and a save bring the token of the zone's feed, where they are asked for it")
    func answers() async throws {
        try await withServer { server in
            try await server.makeZone()
            let zone = #""zoneID":{"zoneName":"Folder"}"#
            let saved = try await server.post(
                "records/modify" + Self.wanted,
                #"{\#(zone),"operations":[\#(Self.note.replacing("NAME", with: "a"))]}"#)
            let token = try #require(saved["syncToken"].string, "\(saved.text)")
            #expect(try await server.changes(since: token)["records"].count == 0)
            #expect(try await server.changes()["syncToken"].string == token)
            try server.allowQueries(of: "Note", bySystemFields: ["___recordID"])
            for (operation, body) in [
                ("records/lookup", #"{\#(zone),"records":[{"recordName":"a"},{"recordName":"none"}]}"#),
                ("records/query", #"{\#(zone),"query":{"recordType":"Note"},"resultsLimit":1}"#),
            ] {
                #expect(try await server.post(operation + Self.wanted, body)["syncToken"].string == token)
                #expect(try await server.post(operation + "?getCurrentSyncToken=false", body)["syncToken"].isAbsent)
                #expect(try await server.post(operation, body)["syncToken"].isAbsent)
            }
            let later = try await server.post(
                "records/modify", #"{\#(zone),"operations":[\#(Self.note.replacing("NAME", with: "b"))]}"#)
            #expect(later["syncToken"].isAbsent)
            #expect(try await server.changes(since: token)["records"].items.map { $0["recordName"].string } == ["b"])
        }
    }

    @Test("An atomic failure brings the token of the zone as it still is")
    func atomicFailure() async throws {
        try await withServer { server in
            try await server.makeZone()
            let before = try #require(try await server.changes()["syncToken"].string)
            let failed = try await server.post(
                "records/modify" + Self.wanted,
                #"{"zoneID":{"zoneName":"Folder"},"operations":[\#(Self.note.replacing("NAME", with: "a")),{"operationType":"update","record":{"recordName":"b","recordChangeTag":"1"}}]}"#
            )
            #expect(failed["records"][0]["serverErrorCode"].string == "ATOMIC_ERROR")
            #expect(failed["syncToken"].string == before)
        }
    }

    @Test("The default zone has no feed and so no token, and a query of all zones is about none")
    func noToken() async throws {
        try await withServer { server in
            try await server.makeZone()
            let saved = try await server.post(
                "records/modify" + Self.wanted, #"{"operations":[\#(Self.note.replacing("NAME", with: "a"))]}"#)
            #expect(saved["records"][0]["recordName"].string == "a" && saved["syncToken"].isAbsent)
            try server.allowQueries(of: "Note", bySystemFields: ["___recordID"])
            let found = try await server.post(
                "records/query" + Self.wanted, #"{"zoneWide":true,"query":{"recordType":"Note"}}"#)
            #expect(found["records"].count == 1 && found["syncToken"].isAbsent)
        }
    }

    @Test("In the shared database it is the token of what the participant sees")
    func shared() async throws {
        try await withSharing { world in
            try await world.plant([("root", nil), ("other", nil)])
            let share = try await world.share(
                "create", "s", #""forRecord":{"recordName":"root"},"publicPermission":"READ_WRITE""#)
            _ = try await world.ask(world.bob, try #require(share["shortGUID"].string))
            let saved = try await world.shared(
                world.bob, "records/modify" + Self.wanted,
                #"{"zoneID":\#(world.zone),"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"bobs","parent":{"recordName":"root"}}}]}"#
            )
            let token = try #require(saved["syncToken"].string, "\(saved.text)")
            #expect(try await world.changes(world.bob, since: token).names == [])
            #expect(try await world.changes(world.bob).token == token)
            try await world.plant([("more", "root")])
            #expect(try await world.changes(world.bob, since: token).names == ["more"])
        }
    }
}
