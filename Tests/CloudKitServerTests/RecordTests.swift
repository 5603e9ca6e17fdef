import CloudKitWire
import Testing

@testable import CloudKitServer

@Suite("Saving records (protocol §3.1, §10.3, §10.4)")
struct RecordTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var kind: RecordOperation.Kind
        var tag: String?
        var existing: String?
        var expected: SaveDecision
        var testDescription: String { "\(kind) tag \(tag ?? "-") on \(existing ?? "nothing")" }
    }

    @Test(
        "What each operation does to what is there",
        arguments: [
            Row(kind: .create, expected: .insert),
            Row(kind: .create, existing: "1", expected: .refuse(.recordExists)),
            Row(kind: .update, tag: "1", expected: .refuse(.taggedRecordNotFound)),
            Row(kind: .update, tag: "1", existing: "1", expected: .merge),
            Row(kind: .update, tag: "1", existing: "2", expected: .refuse(.staleTag)),
            Row(kind: .replace, tag: "1", expected: .refuse(.taggedRecordNotFound)),
            Row(kind: .replace, tag: "1", existing: "1", expected: .replaceFields),
            Row(kind: .replace, tag: "1", existing: "2", expected: .refuse(.staleTag)),
            Row(kind: .forceUpdate, expected: .insert),
            Row(kind: .forceUpdate, tag: "1", existing: "2", expected: .merge),
            Row(kind: .forceReplace, expected: .insert),
            Row(kind: .forceReplace, existing: "2", expected: .replaceFields),
            Row(kind: .delete, tag: "1", expected: .refuse(.taggedRecordNotFound)),
            Row(kind: .delete, tag: "1", existing: "1", expected: .delete),
            Row(kind: .delete, tag: "1", existing: "2", expected: .refuse(.staleTag)),
            Row(kind: .forceDelete, expected: .nothing),
            Row(kind: .forceDelete, tag: "1", existing: "2", expected: .delete),
        ])
    func decision(_ row: Row) {
        #expect(SaveDecision.decide(row.kind, tag: row.tag, existing: row.existing) == row.expected)
    }

    @Test("The protocol's own example: create, update with a removed field, forceDelete of nothing")
    func example() async throws {
        try await withServer { server in
            try await server.makeZone()
            let seeded = try await server.modify(
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"Note/b","fields":{"old":{"value":"x"},"kept":{"value":1}}}}"#
            )
            let tag = try #require(seeded["records"][0]["recordChangeTag"].string)
            let reply = try await server.modify(
                #"""
                { "operationType": "create",
                  "record": { "recordType": "Note", "recordName": "Note/a", "fields": { "title": { "value": "One" } } } },
                { "operationType": "update",
                  "record": { "recordType": "Note", "recordName": "Note/b", "recordChangeTag": "\#(tag)",
                              "fields": { "rank": { "value": 7, "type": "INT64" }, "old": { "value": null } } } },
                { "operationType": "forceDelete", "record": { "recordName": "Note/c" } }
                """#)
            #expect(reply.status == 200 && reply["records"].count == 3)
            let created = reply["records"][0]
            #expect(created["recordName"].string == "Note/a" && created["recordType"].string == "Note")
            #expect(created["fields"]["title"]["value"].string == "One")
            #expect(created["fields"]["title"]["type"].string == "STRING")
            #expect(created["deleted"].bool == false)
            #expect(created["created"]["userRecordName"].string == server.user.userRecordName)
            #expect(created["modified"]["timestamp"].int == created["created"]["timestamp"].int)
            #expect(created["recordChangeTag"].string?.wholeMatch(of: /[0-9a-z]{1,8}/) != nil)

            let updated = reply["records"][1]
            #expect(updated["fields"].keys.sorted() == ["kept", "rank"])
            #expect(updated["recordChangeTag"].string != tag)
            #expect(reply["records"][2].text == #"{"recordName":"Note/c","deleted":true}"#)
        }
    }

    @Test("A field goes by a null value, by {} and by null; what is not there goes without error")
    func fieldRemoval() async throws {
        try await withServer { server in
            try await server.makeZone()
            let fields = ["a", "b", "c", "d"].map { #""\#($0)":{"value":"x"}"# }.joined(separator: ",")
            _ = try await server.modify(
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"n","fields":{\#(fields)}}}"#)
            let reply = try await server.modify(
                #"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"n","fields":{"a":{"value":null},"b":{},"c":null,"never":{"value":null}}}}"#
            )
            #expect(reply["records"][0]["fields"].keys == ["d"])
        }
    }

    @Test("replace and forceReplace remove what is not given", arguments: ["replace", "forceReplace"])
    func replacing(kind: String) async throws {
        try await withServer { server in
            try await server.makeZone()
            let seeded = try await server.modify(
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"n","fields":{"a":{"value":"x"},"b":{"value":2}}}}"#
            )
            let tag = seeded["records"][0]["recordChangeTag"].string!
            let reply = try await server.modify(
                #"{"operationType":"\#(kind)","record":{"recordType":"Note","recordName":"n","recordChangeTag":"\#(tag)","fields":{"b":{"value":3}}}}"#
            )
            #expect(reply["records"][0]["fields"].text == #"{"b":{"value":3,"type":"INT64"}}"#)
        }
    }

    @Test("Conflicts and absences, item by item")
    func itemErrors() async throws {
        try await withServer { server in
            try await server.makeZone()
            let create = #"{"operationType":"create","record":{"recordType":"Note","recordName":"n"}}"#
            _ = try await server.modify(create)
            let reply = try await server.modify(
                create + #"""
                    ,{"operationType":"update","record":{"recordName":"gone","recordChangeTag":"1"}},
                    {"operationType":"create","record":{"recordType":"Note","recordName":"_private"}},
                    {"operationType":"create","record":{"recordType":"9Note","recordName":"t"}},
                    {"operationType":"create","record":{"recordType":"Note","recordName":"f","fields":{"a-b":{"value":1}}}},
                    {"operationType":"create","record":{"recordType":"Note","recordName":"fine"}}
                    """#)
            let codes = reply["records"].items.map { $0["serverErrorCode"].string }
            #expect(codes == ["CONFLICT", "NOT_FOUND", "BAD_REQUEST", "BAD_REQUEST", "BAD_REQUEST", nil])
            #expect(reply["records"][0]["reason"].string == "record to insert already exists")
            #expect(reply["records"][0]["recordName"].string == "n")
            #expect(reply["records"][1]["reason"].string == "recordChangeTag specified, but record not found")

            let stale = try await server.modify(
                #"{"operationType":"update","record":{"recordName":"n","recordChangeTag":"zzz"}},{"operationType":"delete","record":{"recordName":"fine","recordChangeTag":"zzz"}}"#
            )
            #expect(stale["records"].items.allSatisfy { $0["serverErrorCode"].string == "CONFLICT" })
            #expect(stale["records"][0]["reason"].string == "client oplock error updating record")
        }
    }

    @Test("The record type of a record can't change, and a record name is made where none is given")
    func typeAndName() async throws {
        try await withServer { server in
            try await server.makeZone()
            let made = try await server.modify(#"{"operationType":"create","record":{"recordType":"Note"}}"#)
            let name = try #require(made["records"][0]["recordName"].string)
            #expect(name.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
            let changed = try await server.modify(
                #"{"operationType":"forceUpdate","record":{"recordType":"Other","recordName":"\#(name)"}}"#)
            #expect(changed["records"][0]["serverErrorCode"].string == "BAD_REQUEST")
        }
    }

    @Test(
        "Requests that are refused as a whole",
        arguments: [
            (
                #"{"operationType":"update","record":{"recordName":"n"}}"#,
                "BadRequestException: missing required field 'recordChangeTag'"
            ),
            (
                #"{"operationType":"delete","record":{"recordName":"n"}}"#,
                "BadRequestException: missing required field 'recordChangeTag'"
            ),
            (
                #"{"operationType":"create","record":{"recordName":"n"}}"#,
                "BadRequestException: missing required field 'recordType'"
            ),
            (
                #"{"operationType":"forceDelete","record":{}}"#,
                "BadRequestException: missing required field 'recordName'"
            ),
            (
                #"{"operationType":"forceDelete","record":{"recordName":"n"}},{"operationType":"create","record":{"recordType":"Note","recordName":"n"}}"#,
                "the same record can't be given twice in one request: 'n'"
            ),
        ])
    func requestErrors(operations: String, reason: String) async throws {
        try await withServer { server in
            try await server.makeZone()
            let reply = try await server.modify(operations)
            #expect(reply.status == 400 && reply.code == "BAD_REQUEST" && reply.reason == reason)
            #expect(reply["uuid"].string != nil)
        }
    }

    @Test("200 operations and lookups are the limit")
    func itemLimit() async throws {
        try await withServer { server in
            try await server.makeZone()
            func operations(_ count: Int) -> String {
                (0..<count).map { #"{"operationType":"create","record":{"recordType":"Note","recordName":"n\#($0)"}}"# }
                    .joined(separator: ",")
            }
            let tooMany = try await server.modify(operations(201))
            #expect(tooMany.status == 400 && tooMany.code == "BAD_REQUEST" && tooMany.reason!.contains("200"))
            #expect(
                try await server.modify(operations(200))["records"].items.allSatisfy { $0["deleted"].bool == false })
            let names = (0..<201).map { #"{"recordName":"n\#($0)"}"# }.joined(separator: ",")
            let lookup = try await server.post(
                "records/lookup", #"{"zoneID":{"zoneName":"Folder"},"records":[\#(names)]}"#)
            #expect(lookup.status == 400 && lookup.reason!.contains("200"))
        }
    }

    @Test("A record over 1 MB is refused by itself; a request over the limit as a whole, naming it")
    func sizeLimits() async throws {
        try await withServer {
            $0.largestRequest = 3_000_000
        } _: { server in
            try await server.makeZone()
            func create(_ name: String, _ bytes: Int) -> String {
                let text = String(repeating: "x", count: bytes)
                return
                    #"{"operationType":"create","record":{"recordType":"Note","recordName":"\#(name)","fields":{"text":{"value":"\#(text)"}}}}"#
            }
            let reply = try await server.modify(create("a", 1_048_572) + "," + create("b", 1_048_573))
            #expect(reply["records"][0]["serverErrorCode"].isAbsent)
            #expect(reply["records"][1]["serverErrorCode"].string == "BAD_REQUEST")
            let tooLarge = try await server.modify(create("c", 3_000_000))
            #expect(tooLarge.status == 400 && tooLarge.code == "BAD_REQUEST" && tooLarge.reason!.contains("3000000"))
        }
    }

    @Test("Atomic is the default in a custom zone: the culprit has its code, all others ATOMIC_ERROR, nothing is saved")
    func atomic() async throws {
        try await withServer { server in
            try await server.makeZone()
            _ = try await server.modify(
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"there"}}"#)
            let before = try await server.changes()["syncToken"].string
            let operations = ["a", "there", "b"].map {
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"\#($0)","fields":{"new":{"value":1}}}}"#
            }.joined(separator: ",")
            for atomic in ["", #""atomic":true,"#] {
                let reply = try await server.modify(operations, atomic: atomic)
                #expect(reply.status == 200)
                #expect(
                    reply["records"].items.map { $0["serverErrorCode"].string } == [
                        "ATOMIC_ERROR", "CONFLICT", "ATOMIC_ERROR",
                    ])
                #expect(reply["records"].items.map { $0["recordName"].string } == ["a", "there", "b"])
                #expect(reply["records"][0]["reason"].string == "atomic failure")
            }
            #expect(try await server.changes()["syncToken"].string == before)
            let single = try await server.modify(operations)
            #expect(single["records"].items.map { $0["serverErrorCode"].string } == [nil, "CONFLICT", nil])
        }
    }

    @Test("The default zone takes saves one by one, and refuses atomic ones")
    func defaultZone() async throws {
        try await withServer { server in
            let operation = #"{"operationType":"create","record":{"recordType":"Note","recordName":"n"}}"#
            let plain = try await server.post("records/modify", #"{"operations":[\#(operation)]}"#)
            #expect(plain["records"][0]["recordChangeTag"].string != nil)
            let again = try await server.post(
                "records/modify",
                #"{"operations":[\#(operation),{"operationType":"create","record":{"recordType":"Note","recordName":"m"}}]}"#
            )
            #expect(again["records"].items.map { $0["serverErrorCode"].string } == ["CONFLICT", nil])
            let atomic = try await server.post("records/modify", #"{"atomic":true,"operations":[\#(operation)]}"#)
            #expect(atomic.status == 400 && atomic.reason == "atomic operations not supported in default zone")
        }
    }

    @Test(
        "A zone that does not exist refuses the whole request",
        arguments: ["records/modify", "records/lookup", "assets/upload"])
    func noZone(operation: String) async throws {
        try await withServer { server in
            let reply = try await server.post(
                operation, #"{"zoneID":{"zoneName":"Nope"},"operations":[],"records":[],"tokens":[]}"#)
            #expect(reply.status == 404 && reply.code == "ZONE_NOT_FOUND")
        }
    }

    @Test("Lookup tells records and absences in order, all, some or none of their fields, and numbers as strings")
    func lookup() async throws {
        try await withServer { server in
            try await server.makeZone()
            _ = try await server.modify(
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"b","fields":{"rank":{"value":9007199254740993},"t":{"value":"x"}}}},{"operationType":"create","record":{"recordType":"Note","recordName":"d"}}"#
            )
            _ = try await server.modify(#"{"operationType":"forceDelete","record":{"recordName":"d"}}"#)
            func lookup(_ more: String) async throws -> TestServer.Reply {
                try await server.post(
                    "records/lookup",
                    #"{"zoneID":{"zoneName":"Folder"},"records":[{"recordName":"b"},{"recordName":"d"},{"recordName":"Nope"}]\#(more)}"#
                )
            }
            let all = try await lookup("")
            #expect(all["records"][0]["fields"]["rank"].text == #"{"value":9007199254740993,"type":"INT64"}"#)
            for absent in [all["records"][1], all["records"][2]] {
                #expect(
                    absent["serverErrorCode"].string == "NOT_FOUND" && absent["reason"].string == "Record not found")
            }
            #expect(all["records"][2]["recordName"].string == "Nope")
            #expect(try await lookup(#","desiredKeys":[]"#)["records"][0]["fields"].text == "{}")
            #expect(try await lookup(#","desiredKeys":["t"]"#)["records"][0]["fields"].keys == ["t"])
            #expect(
                try await lookup(#","numbersAsStrings":true"#)["records"][0]["fields"]["rank"]["value"].string
                    == "9007199254740993")
        }
    }
}
