import CloudKitWire
import Testing

@testable import CloudKitServer

@Suite("Types of fields (protocol §4, §8.3) and references")
struct FieldAndReferenceTests {
    private func save(_ server: TestServer, _ name: String, _ fields: String) async throws -> TestJSON {
        try await server.modify(
            #"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"\#(name)","fields":{\#(fields)}}}"#
        )["records"][0]
    }

    @Test(
        "A value without a type has the one that its JSON says",
        arguments: [
            (#""x""#, "STRING", #""x""#), ("7", "INT64", "7"), ("1.5", "DOUBLE", "1.5"),
            (#"["a","b"]"#, "STRING_LIST", #"["a","b"]"#), ("[1,2]", "INT64_LIST", "[1,2]"),
            (#"{"recordName":"r","action":"NONE"}"#, "REFERENCE", nil),
            (#"{"latitude":1.5,"longitude":2.5}"#, "LOCATION", nil),
        ])
    func guessed(value: String, type: String, back: String?) async throws {
        try await withServer { server in
            try await server.makeZone()
            let record = try await save(server, "n", #""f":{"value":\#(value)}"#)
            #expect(record["fields"]["f"]["type"].string == type)
            if let back { #expect(record["fields"]["f"]["value"].text == back) }
        }
    }

    @Test(
        "Every type comes back with its value as it was sent",
        arguments: [
            ("STRING", #""e\u0301""#), ("INT64", "9223372036854775807"), ("DOUBLE", "0.1"),
            ("TIMESTAMP", "1790000000123"),
            ("BYTES", #""AAEC/w==""#), ("STRING_LIST", #"["a",""]"#), ("INT64_LIST", "[-1,0]"),
            ("DOUBLE_LIST", "[0.5]"),
            ("TIMESTAMP_LIST", "[1]"), ("BYTES_LIST", #"["AA==",""]"#),
        ])
    func typed(type: String, value: String) async throws {
        try await withServer { server in
            try await server.makeZone()
            _ = try await save(server, "n", #""f":{"value":\#(value),"type":"\#(type)"}"#)
            let field = try await server.changes()["records"][0]["fields"]["f"]
            #expect(field["type"].string == type)
            let sent = TestJSON(Array(value.utf8))
            #expect(field["value"].string.map { Array($0.utf8) } == sent.string.map { Array($0.utf8) })
            if sent.string == nil { #expect(field["value"].text == value) }
        }
    }

    @Test("A field's first type is its type: other ones are refused by name, untyped integers follow it")
    func schema() async throws {
        try await withServer { server in
            try await server.makeZone()
            _ = try await save(
                server, "a", #""ratio":{"value":1.5},"when":{"value":1,"type":"TIMESTAMP"},"list":{"value":["a"]}"#)
            let followed = try await save(server, "b", #""ratio":{"value":2},"when":{"value":5}"#)
            #expect(followed["fields"]["ratio"]["type"].string == "DOUBLE")
            #expect(followed["fields"]["when"]["type"].string == "TIMESTAMP")
            let clash = try await save(server, "c", #""ratio":{"value":"x","type":"STRING"}"#)
            #expect(clash["serverErrorCode"].string == "BAD_REQUEST")
            #expect(
                clash["reason"].string
                    == "invalid attempt to set value type STRING for field 'ratio' for type 'Note', defined to be: DOUBLE"
            )
            let wrong = try await save(server, "c", #""when":{"value":"soon"}"#)
            #expect(wrong["reason"].string == "Invalid value, expected type TIMESTAMP.")
            let empty = try await save(server, "d", #""list":{"value":[],"type":"STRING_LIST"}"#)
            #expect(empty["fields"]["list"].text == #"{"value":[],"type":"STRING_LIST"}"#)
            let undefined = try await save(server, "e", #""other":{"value":[],"type":"STRING_LIST"}"#)
            #expect(undefined["serverErrorCode"].string == "BAD_REQUEST")
        }
    }

    @Test("A refused save teaches no type")
    func nothingLearned() async throws {
        try await withServer { server in
            try await server.makeZone()
            _ = try await save(server, "a", #""x":{"value":1}"#)
            _ = try await save(server, "b", #""y":{"value":1},"x":{"value":"text"}"#)
            #expect(try await save(server, "b", #""y":{"value":"text"}"#)["serverErrorCode"].isAbsent)
        }
    }

    @Test("Encrypted fields stay encrypted, and plain ones plain")
    func encryption() async throws {
        try await withServer { server in
            try await server.makeZone()
            let secret = try await save(
                server, "a", #""s":{"value":"x","type":"STRING","isEncrypted":true},"p":{"value":"y"}"#)
            #expect(secret["fields"]["s"]["isEncrypted"].bool == true && secret["fields"]["s"]["value"].string == "x")
            let plain = try await save(server, "b", #""p":{"value":"y","type":"STRING","isEncrypted":true}"#)
            #expect(plain["reason"].string == "Attempt to save encrypted data in non encrypted field type")
        }
    }

    @Test("Where the schema is closed, unknown fields and types are refused by name")
    func closedSchema() {
        let closed = FieldTypes(recordType: "Note", known: ["": "", "a": "STRING"], mayLearn: false)
        #expect(throws: ErrorDictionary.badRequest("Field b not found in Note")) {
            try closed.resolve(Field(.string("x")), named: "b")
        }
    }

    @Test("Production learns nothing")
    func production() async throws {
        try await withServer { server in
            let user = try server.server.store.addUser(
                name: "ada", container: TestServer.container, environment: "production")
            let credentials = "?ckAPIToken=\(user.apiToken)&ckWebAuthToken=\(encoded(user.webAuthToken))"
            let reply = try await server.sendRaw(
                "POST", "/database/1/\(TestServer.container)/production/private/records/modify" + credentials,
                Array(
                    #"{"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"n"}}]}"#.utf8
                ))
            #expect(reply["records"][0]["serverErrorCode"].string == "BAD_REQUEST")
            #expect(reply["records"][0]["reason"].string?.hasPrefix("Cannot create new type Note") == true)
        }
    }

    @Test("DELETE_SELF takes the referring records along, and theirs; NONE stays; VALIDATE holds the target fast")
    func references() async throws {
        try await withServer { server in
            try await server.makeZone()
            func reference(_ target: String, _ action: String) -> String {
                #""to":{"value":{"recordName":"\#(target)","action":"\#(action)"},"type":"REFERENCE"}"#
            }
            _ = try await save(server, "root", "")
            _ = try await save(server, "child", reference("root", "DELETE_SELF"))
            _ = try await save(server, "grandchild", reference("child", "DELETE_SELF"))
            _ = try await save(server, "friend", reference("root", "NONE"))
            let token = try await server.changes()["syncToken"].string
            #expect(
                try await save(server, "x", reference("absent", "VALIDATE"))["serverErrorCode"].string
                    == "VALIDATING_REFERENCE_ERROR")
            #expect(try await save(server, "loose", reference("absent", "NONE"))["serverErrorCode"].isAbsent)

            let guarded = try await save(server, "guard", reference("grandchild", "VALIDATE"))
            #expect(guarded["serverErrorCode"].isAbsent)
            let delete = #"{"operationType":"forceDelete","record":{"recordName":"root"}}"#
            #expect(
                try await server.modify(delete)["records"][0]["serverErrorCode"].string == "VALIDATING_REFERENCE_ERROR")
            _ = try await server.modify(#"{"operationType":"forceDelete","record":{"recordName":"guard"}}"#)
            #expect(try await server.modify(delete)["records"][0]["deleted"].bool == true)
            let changes = try await server.changes(since: token)["records"].items
            #expect(
                Set(changes.filter { $0["deleted"].bool == true }.compactMap { $0["recordName"].string })
                    == ["root", "child", "grandchild", "guard"])
            #expect(changes.last?["recordName"].string == "root")
        }
    }

    @Test("References in a circle end")
    func circle() async throws {
        try await withServer { server in
            try await server.makeZone()
            for (name, target) in [("a", "b"), ("b", "a"), ("c", "c")] {
                _ = try await save(
                    server, name,
                    #""to":{"value":[{"recordName":"\#(target)","action":"DELETE_SELF"}],"type":"REFERENCE_LIST"}"#)
            }
            for name in ["a", "c"] {
                let reply = try await server.modify(
                    #"{"operationType":"forceDelete","record":{"recordName":"\#(name)"}}"#)
                #expect(reply["records"][0]["deleted"].bool == true)
            }
            #expect(try await server.changes()["records"].items.allSatisfy { $0["deleted"].bool == true })
        }
    }

    @Test("750 records may refer to one with DELETE_SELF, no more")
    func referenceLimit() async throws {
        try await withServer { server in
            try await server.makeZone()
            func operations(_ range: Range<Int>) -> String {
                range.map {
                    #"{"operationType":"create","record":{"recordType":"Note","recordName":"n\#($0)","fields":{"to":{"value":{"recordName":"root","action":"DELETE_SELF"},"type":"REFERENCE"}}}}"#
                }.joined(separator: ",")
            }
            for start in stride(from: 0, to: 750, by: 150) {
                let reply = try await server.modify(operations(start..<(start + 150)))
                #expect(reply["records"].items.allSatisfy { $0["serverErrorCode"].isAbsent })
            }
            let last = try await server.modify(operations(750..<751))
            #expect(last["records"][0]["serverErrorCode"].string == "BAD_REQUEST")
        }
    }
}
