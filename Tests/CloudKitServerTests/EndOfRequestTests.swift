import CloudKitServer
import CloudKitWire
import Testing

/// What refers to a record is checked as of the end of the request (protocol §3.1, §4).
@Suite("References within one request (protocol §3.1, §4)")
struct EndOfRequestTests {
    /// An operation in a few words: `+a` creates, `!a` saves whatever is there, `?a` updates by a tag that is none, `-a`
    /// deletes; then `v:b` `s:b` `p:b` for a reference with VALIDATE or DELETE_SELF, and the parent.
    private static func operation(_ words: String) -> String {
        let parts = words.split(separator: " ")
        let name = parts[0].dropFirst()
        let kind =
            switch parts[0].first {
            case "+": "create"
            case "!": "forceUpdate"
            case "?": "update"
            default: "forceDelete"
            }
        var record = #""recordName":"\#(name)""#
        if kind == "update" { record += #","recordChangeTag":"none""# }
        if kind != "forceDelete" { record += #","recordType":"Note""# }
        for part in parts.dropFirst() {
            let target = part.dropFirst(2)
            switch part.first {
            case "p": record += #","parent":{"recordName":"\#(target)"}"#
            case "0": record += #","fields":{"to":{"value":null}}"#
            default:
                let action = part.first == "v" ? "VALIDATE" : "DELETE_SELF"
                record +=
                    #","fields":{"to":{"value":{"recordName":"\#(target)","action":"\#(action)"},"type":"REFERENCE"}}"#
            }
        }
        return #"{"operationType":"\#(kind)","record":{\#(record)}}"#
    }

    private static func operations(_ words: String) -> String {
        words.split(separator: ", ").map { operation(String($0)) }.joined(separator: ",")
    }

    /// What became of each operation: `ok`, or the beginning of its code.
    private func outcomes(_ reply: TestServer.Reply) -> String {
        reply["records"].items.map { $0["serverErrorCode"].string.map { String($0.prefix(3)) } ?? "ok" }
            .joined(separator: " ")
    }

    private func plant(_ server: TestServer, _ words: String) async throws {
        try await server.makeZone()
        for word in words.split(separator: ", ") {
            let reply = try await server.modify(Self.operation(String(word)))
            #expect(outcomes(reply) == "ok", "\(reply.text)")
        }
    }

    private func living(_ server: TestServer) async throws -> String {
        try await server.changes()["records"].items.filter { $0["deleted"].bool != true }
            .compactMap { $0["recordName"].string }.sorted().joined()
    }

    @Test(
        "What refers to a record that the request saves later is saved, and it alone fails where that one fails",
        arguments: [
            // A target, a parent, a chain of both, a record itself, and circles.
            ("", "+a v:b, +b", "ok ok", "ab"),
            ("", "+a p:b, +b", "ok ok", "ab"),
            ("", "+a s:b, +b", "ok ok", "ab"),
            ("", "+a v:b, +b p:c, +c v:d, +d", "ok ok ok ok", "abcd"),
            ("", "+a v:a", "ok", "a"),
            ("", "+a v:b, +b v:a", "ok ok", "ab"),
            ("", "+a v:b, +b v:c, +c v:a", "ok ok ok", "abc"),
            ("", "+a v:b, +b p:a", "ok ok", "ab"),
            ("x, a", "!a v:b, +b v:a", "ok ok", "abx"),
            // What the target does decides.
            ("", "+a v:b, ?b", "VAL NOT", ""),
            ("", "+a p:b, ?b, +c", "VAL NOT ok", "c"),
            ("b", "+a v:c, +c v:d, ?d, !b v:a", "VAL VAL NOT VAL", "b"),
            ("b", "+a v:c, +b v:c, +c", "ok CON ok", "abc"),
            ("", "+a v:b, +c, -b", "VAL ok ok", "c"),
            // Of a circle all are refused that need the one that fails, whichever was first.
            ("", "+a v:b, +b v:c, +c v:a, ?d", "ok ok ok NOT", "abc"),
            ("", "+a v:b, +b v:c, +c v:d, ?d", "VAL VAL VAL NOT", ""),
            ("c", "+a v:b, +b v:c, +c v:a", "ok ok CON", "abc"),
            ("", "+d v:a, +a v:b, +b v:a, ?c", "ok ok ok NOT", "abd"),
            ("", "+a p:b, +b p:a", "VAL VAL", ""),
        ])
    func saves(before: String, request: String, expected: String, left: String) async throws {
        try await withServer { server in
            try await plant(server, before.split(separator: ", ").map { "+\($0)" }.joined(separator: ", "))
            let reply = try await server.modify(Self.operations(request))
            #expect(outcomes(reply) == expected, "\(reply.text)")
            #expect(try await living(server) == left)
        }
    }

    @Test(
        "A record to which another one refers that stays can't be deleted, with those that go or turn away it can",
        arguments: [
            // Children, and referrers with VALIDATE.
            ("+p, +c p:p", "-p", "VAL", "cp"),
            ("+p, +c v:p", "-p", "VAL", "cp"),
            ("+p, +c p:p, +d p:c", "-c", "VAL", "cdp"),
            ("+p, +c p:p", "-p, -c", "ok ok", ""),
            ("+p, +c p:p", "-c, -p", "ok ok", ""),
            ("+p, +c v:p", "-p, -c", "ok ok", ""),
            ("+p, +c p:p, +d p:c", "-p, -c, -d", "ok ok ok", ""),
            ("+p, +q, +c p:p", "-p, !c p:q", "ok ok", "cq"),
            ("+p, +q, +c p:p", "!c p:q, -p", "ok ok", "cq"),
            ("+p, +c v:p", "-p, !c 0:", "ok ok", "c"),
            ("+p, +c p:p", "-p, +q, !c p:q", "ok ok ok", "cq"),
            ("+a, +b v:a, !a v:b", "-a, -b", "ok ok", ""),
            ("+a, +b v:a, !a v:b", "-a", "VAL", "ab"),
            // It stays where it is, and so does what it refers to.
            ("+p, +c p:p", "-p, !c", "VAL ok", "cp"),
            ("+p, +c p:p", "-p, ?c", "VAL CON", "cp"),
            ("+a, +b v:a, !a v:b, +c v:b", "-a, -b", "VAL VAL", "abc"),
            // With DELETE_SELF it goes, too, and its own children count.
            ("+p, +c s:p", "-p", "ok", ""),
            ("+p, +c s:p p:p", "-p", "ok", ""),
            ("+p, +c s:p, +d p:c", "-p", "VAL", "cdp"),
            ("+p, +c s:p, +d p:c", "-p, -d", "ok ok", ""),
            // Who comes later than the deletion finds nobody.
            ("+p", "-p, +c p:p", "ok VAL", ""),
            ("+p", "+c p:p, -p", "ok VAL", "cp"),
        ])
    func deletions(before: String, request: String, expected: String, left: String) async throws {
        try await withServer { server in
            try await plant(server, before)
            let reply = try await server.modify(Self.operations(request))
            #expect(outcomes(reply) == expected, "\(reply.text)")
            #expect(try await living(server) == left)
        }
    }

    @Test(
        "An atomic request is saved in any order, or names the operation that is at fault",
        arguments: [
            ("+a v:b, +b p:c, +c", "ok ok ok", "abc"),
            ("+a v:b, +b v:a", "ok ok", "ab"),
            ("+a v:b, +c, ?b", "ATO ATO NOT", ""),
            ("+a v:none, +c", "VAL ATO", ""),
            ("+a p:b, +b p:a, +c", "BAD ATO ATO", ""),
        ])
    func atomic(request: String, expected: String, left: String) async throws {
        try await withServer { server in
            try await server.makeZone()
            let reply = try await server.modify(Self.operations(request), atomic: "")
            #expect(reply.status == 200)
            #expect(outcomes(reply) == expected, "\(reply.text)")
            #expect(try await living(server) == left)
        }
    }

    @Test("Answers keep the request's order, and the feed brings a target before what refers to it")
    func order() async throws {
        try await withServer { server in
            try await server.makeZone()
            let reply = try await server.modify(Self.operations("+a v:b, +b v:c, +x, +c"))
            #expect(reply["records"].items.map { $0["recordName"].string } == ["a", "b", "x", "c"])
            #expect(
                try await server.changes()["records"].items.map { $0["recordName"].string } == ["c", "b", "a", "x"])
        }
    }

    @Test("A chain of 200 in the worst order is one request, and so is a circle of 200, one of which fails or none")
    func longChains() async throws {
        try await withServer { server in
            try await server.makeZone()
            let chain = (0..<200).map { $0 == 199 ? "+c199" : "+c\($0) v:c\($0 + 1)" }
            let saved = try await server.modify(Self.operations(chain.joined(separator: ", ")))
            #expect(saved["records"].items.allSatisfy { $0["serverErrorCode"].isAbsent })
            let circle = (0..<200).map { "+r\($0) v:r\(($0 + 1) % 200)" }
            let broken = circle.enumerated().map { $0 == 100 ? "?r100" : $1 }
            let refused = try await server.modify(Self.operations(broken.joined(separator: ", ")))
            #expect(refused["records"].items.allSatisfy { !$0["serverErrorCode"].isAbsent })
            let whole = try await server.modify(Self.operations(circle.joined(separator: ", ")))
            #expect(whole["records"].items.allSatisfy { $0["serverErrorCode"].isAbsent })
            #expect(try await server.changes(since: nil)["moreComing"].bool == true)
        }
    }

    @Test("A participant saves a tree in any order below what they may write, and nowhere else")
    func participant() async throws {
        try await withSharing { world in
            try await world.plant([("root", nil), ("other", nil)])
            let share = try await world.share(
                "create", "s", #""forRecord":{"recordName":"root"},"publicPermission":"READ_WRITE""#)
            _ = try await world.ask(world.bob, try #require(share["shortGUID"].string))
            func modify(_ words: String) async throws -> String {
                outcomes(
                    try await world.shared(
                        world.bob, "records/modify",
                        #"{"zoneID":\#(world.zone),"atomic":false,"operations":[\#(Self.operations(words))]}"#))
            }
            #expect(try await modify("+a p:b, +b p:c, +c p:root") == "ok ok ok")
            #expect(Set(try await world.changes(world.bob).names) == ["root", "s", "a", "b", "c"])
            #expect(try await modify("+d p:e, +e p:other") == "ACC ACC")
            #expect(try await modify("-c, -b, -a") == "ok ok ok")
            #expect(try await modify("+f p:g v:g, +g v:f p:root") == "ok ok")
            #expect(try await modify("+h p:i, +i v:h") == "ACC ACC")
        }
    }

    @Test("A share and the record that it shares are one request, whichever comes first")
    func shareFirst() async throws {
        try await withSharing { world in
            let reply = try await world.ada.modify(
                #"{"operationType":"create","record":{"recordType":"cloudkit.share","recordName":"s","forRecord":{"recordName":"root"},"publicPermission":"READ_ONLY"}},"#
                    + #"{"operationType":"create","record":{"recordType":"Note","recordName":"root"}}"#)
            #expect(reply["records"].items.map { $0["recordName"].string } == ["s", "root"])
            let guid = try #require(reply["records"][0]["shortGUID"].string, "\(reply.text)")
            _ = try await world.ask(world.bob, guid)
            #expect(Set(try await world.changes(world.bob).names) == ["root", "s"])
        }
    }

    @Test("In the public database a reference to a record of the same request is its creator's own")
    func publicDatabase() throws {
        let world = try PublicWorld()
        func save(_ name: String, _ target: String, _ action: Reference.Action) -> RecordOperation {
            RecordOperation(
                .create,
                CloudKitWire.Record(
                    recordName: name, recordType: "Note",
                    fields: PublicWorld.reference(target, action).mapValues { Field($0) }))
        }
        let answer = try world.store.modify(
            RecordsModifyRequest(
                operations: [
                    save("a", "b", .validate), save("b", "c", .deleteSelf), save("c", "c", .none),
                    save("d", "none", .deleteSelf),
                ], zoneID: nil), as: world.ada)
        let codes = answer.records.map { record -> ServerErrorCode? in
            if case .failure(let error) = record { error.serverErrorCode } else { nil }
        }
        #expect(codes == [nil, nil, nil, .validatingReferenceError])
    }
}
