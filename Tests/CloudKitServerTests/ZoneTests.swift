import CloudKitServer
import Testing

@Suite("Zones and database changes (protocol §3.4, §3.7, §10.9, §10.10)")
struct ZoneTests {
    @Test("A new user has the default zone alone; it has no token and is not atomic")
    func list() async throws {
        try await withServer { server in
            for reply in [try await server.get("zones/list"), try await server.post("zones/list")] {
                #expect(reply.status == 200 && reply["zones"].count == 1)
                let zone = reply["zones"][0]
                #expect(zone["zoneID"]["zoneName"].string == "_defaultZone")
                #expect(zone["zoneID"]["zoneType"].string == "DEFAULT_ZONE")
                #expect(zone["zoneID"]["ownerRecordName"].string == server.user.userRecordName)
                #expect(zone["atomic"].bool == false && zone["syncToken"].isAbsent)
            }
        }
    }

    @Test("Zones are created, found, created again without harm, and deleted")
    func lifecycle() async throws {
        try await withServer { server in
            let create = #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Folder"}}}]}"#
            let first = try await server.post("zones/modify", create)["zones"][0]
            #expect(first["zoneID"]["zoneType"].string == "REGULAR_CUSTOM_ZONE" && first["atomic"].bool == true)
            let again = try await server.post("zones/modify", create)["zones"][0]
            #expect(again["syncToken"].string == first["syncToken"].string && first["syncToken"].string != nil)

            let found = try await server.post(
                "zones/lookup", #"{"zones":[{"zoneName":"Folder"},{"zoneName":"Nope"}]}"#)
            #expect(found.status == 200 && found["zones"][0]["syncToken"].string == first["syncToken"].string)
            #expect(found["zones"][1]["serverErrorCode"].string == "ZONE_NOT_FOUND")
            #expect(found["zones"][1]["reason"].string == "Zone 'Nope' does not exist")
            #expect(found["zones"][1]["zoneID"]["zoneName"].string == "Nope")

            let delete = #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"Folder"}}}]}"#
            let deleted = try await server.post("zones/modify", delete)["zones"][0]
            #expect(deleted["zoneID"]["zoneName"].string == "Folder" && deleted["serverErrorCode"].isAbsent)
            let gone = try await server.post("zones/modify", delete)["zones"][0]
            #expect(gone["serverErrorCode"].string == "ZONE_NOT_FOUND")
        }
    }

    @Test("Names that no zone can have, and the default zone, are refused one by one")
    func refusals() async throws {
        try await withServer { server in
            let names = ["_hidden", "", String(repeating: "n", count: 256), "Zürich", "_defaultZone"]
            let operations = names.map { #"{"operationType":"create","zone":{"zoneID":{"zoneName":"\#($0)"}}}"# }
            let reply = try await server.post(
                "zones/modify",
                #"{"operations":[\#(operations.joined(separator: ",")),{"operationType":"create","zone":{"zoneID":{"zoneName":"Good"}}}]}"#
            )
            #expect(reply.status == 200 && reply["zones"].count == 6)
            #expect(reply["zones"].items.prefix(5).allSatisfy { $0["serverErrorCode"].string == "BAD_REQUEST" })
            #expect(reply["zones"][5]["syncToken"].string != nil)
            let kept = try await server.post(
                "zones/modify",
                #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"_defaultZone"}}}]}"#)
            #expect(kept["zones"][0]["serverErrorCode"].string == "BAD_REQUEST")
        }
    }

    @Test("The database's changes name new, changed and deleted zones since a token, and never the default zone")
    func databaseChanges() async throws {
        try await withServer { server in
            let empty = try await server.post("changes/database")
            #expect(empty["zones"].count == 0 && empty["moreComing"].bool == false)
            try await server.makeZone("A")
            try await server.makeZone("B")
            let both = try await server.post("changes/database", since(empty))
            #expect(both["zones"].items.map { $0["zoneID"]["zoneName"].string } == ["A", "B"])
            #expect(both["zones"][0]["syncToken"].string != nil)

            let unchanged = try await server.post("changes/database", since(both))
            #expect(unchanged["zones"].count == 0 && unchanged["syncToken"].string == both["syncToken"].string)

            _ = try await server.modify(#"{"operationType":"create","record":{"recordType":"Note"}}"#, zone: "A")
            _ = try await server.post(
                "zones/modify", #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"B"}}}]}"#)
            let changed = try await server.post("changes/database", since(both))
            #expect(changed["zones"].items.map { $0["zoneID"]["zoneName"].string } == ["A", "B"])
            #expect(changed["zones"][0]["deleted"].isAbsent && changed["zones"][1]["deleted"].bool == true)

            try await server.makeZone("B")
            let superseded = try await server.post("changes/database", since(changed))
            #expect(superseded["zones"].count == 1 && superseded["zones"][0]["deleted"].isAbsent)
            #expect(try await server.post("changes/database")["zones"].count == 2)
        }
    }

    @Test("Database changes come in pages")
    func pages() async throws {
        try await withServer { server in
            for name in ["A", "B", "C"] { try await server.makeZone(name) }
            var names: [String?] = []
            var token: String?
            var pages = 0
            repeat {
                let position = token.map { #","syncToken":"\#($0)""# } ?? ""
                let page = try await server.post("changes/database", #"{"resultsLimit":1\#(position)}"#)
                names += page["zones"].items.map { $0["zoneID"]["zoneName"].string }
                token = page["moreComing"].bool == true ? page["syncToken"].string : nil
                pages += 1
            } while token != nil
            #expect(names == ["A", "B", "C"] && pages == 3)
        }
    }

    @Test("A database token that is garbage, cut short, or a zone's is refused with the request")
    func badTokens() async throws {
        try await withServer { server in
            try await server.makeZone()
            let zoneToken = try await server.changes()["syncToken"].string!
            let good = try await server.post("changes/database")["syncToken"].string!
            for (token, reason) in [
                ("garbage", "Unknown sync continuation type"), (zoneToken, "Unknown sync continuation type"),
                (String(good.dropLast(6)), "Invalid continuation format"),
            ] {
                let reply = try await server.post("changes/database", #"{"syncToken":"\#(token)"}"#)
                #expect(reply.status == 400 && reply.code == "BAD_REQUEST" && reply.reason == reason)
            }
        }
    }

    private func since(_ reply: TestServer.Reply) -> String {
        #"{"syncToken":"\#(reply["syncToken"].string!)"}"#
    }
}
