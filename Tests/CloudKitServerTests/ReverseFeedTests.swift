import CloudKitServer
import Testing

/// `reverse` in `changes/zone` and `records/changes` (protocol §3.5).
@Suite("A zone's changes, newest first (protocol §3.5)")
struct ReverseFeedTests {
    private func plant(_ server: TestServer, _ names: String) async throws {
        for name in names {
            let reply = try await server.modify(
                #"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"\#(name)"}}"#)
            #expect(reply["records"][0]["serverErrorCode"].isAbsent, "\(reply.text)")
        }
    }

    private func names(_ page: TestJSON) -> String {
        page["records"].items.map { ($0["deleted"].bool == true ? "-" : "") + ($0["recordName"].string ?? "?") }
            .joined()
    }

    @Test("Without a token it begins with the newest change, and tombstones are among them")
    func order() async throws {
        try await withServer { server in
            try await server.makeZone()
            try await plant(server, "abcb")
            _ = try await server.modify(#"{"operationType":"forceDelete","record":{"recordName":"a"}}"#)
            let page = try await server.changes(since: nil, #","reverse":true"#)
            #expect(names(page) == "-abc" && page["moreComing"].bool == false)
            let old = try await server.post(
                "records/changes", #"{"zoneID":{"zoneName":"Folder"},"reverse":true,"resultsLimit":2}"#)
            #expect(names(old.json) == "-ab" && old["moreComing"].bool == true)
            #expect(names(try await server.changes(since: nil, #","reverse":false"#)) == "cb-a")
        }
    }

    @Test("Pages go back to the beginning, each record once", arguments: 1...6)
    func pages(size: Int) async throws {
        try await withServer { server in
            try await server.makeZone()
            try await plant(server, "abcde")
            var (found, token): (String, String?) = ("", nil)
            for page in 1...10 {
                let more = try await server.changes(since: token, #","reverse":true,"resultsLimit":\#(size)"#)
                found += names(more)
                token = more["syncToken"].string
                guard more["moreComing"].bool == true else { break }
                #expect(page < 6)
            }
            #expect(found == "edcba")
            let end = try await server.changes(since: token, #","reverse":true"#)
            #expect(names(end) == "" && end["moreComing"].bool == false && end["syncToken"].string == token)
        }
    }

    @Test("Nothing is lost by a token of the one direction in the other one")
    func mixed() async throws {
        try await withServer { server in
            try await server.makeZone()
            try await plant(server, "abc")
            let newest = try await server.changes(since: nil, #","reverse":true,"resultsLimit":1"#)
            #expect(names(newest) == "c")
            try await plant(server, "d")
            #expect(names(try await server.changes(since: newest["syncToken"].string)) == "cd")
            let first = try await server.changes(since: nil, #","resultsLimit":2"#)
            #expect(names(first) == "ab")
            #expect(names(try await server.changes(since: first["syncToken"].string, #","reverse":true"#)) == "ba")
        }
    }

    @Test("The empty token is caught up in this direction, too")
    func emptyToken() async throws {
        try await withServer { server in
            try await server.makeZone()
            try await plant(server, "abc")
            let page = try await server.changes(since: "", #","reverse":true"#)
            #expect(names(page) == "" && page["moreComing"].bool == false)
        }
    }

    @Test("A participant of a hierarchy goes back through what they see")
    func participant() async throws {
        try await withSharing { world in
            try await world.plant([("root", nil), ("other", nil), ("a", "root"), ("b", "root")])
            let share = try await world.share(
                "create", "s", #""forRecord":{"recordName":"root"},"publicPermission":"READ_WRITE""#)
            _ = try await world.ask(world.bob, try #require(share["shortGUID"].string))
            let forward = try await world.changes(world.bob).names
            var (found, token) = ([String](), "")
            repeat {
                let page = try await world.shared(
                    world.bob, "changes/zone",
                    #"{"zones":[{"zoneID":\#(world.zone)\#(token)}],"reverse":true,"resultsLimit":1}"#)["zones"][0]
                found += page["records"].items.compactMap { $0["recordName"].string }
                token = #","syncToken":"\#(page["syncToken"].string ?? "")""#
                if page["moreComing"].bool != true { break }
            } while found.count < 10
            #expect(found == forward.reversed() && Set(found) == ["root", "a", "b", "s"])
        }
    }
}
