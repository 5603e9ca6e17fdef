import CloudKitSchema
import CloudKitServer
import CloudKitWire
import FolderControl
import FolderSettings
import ProblemSentences
import RecordMapping
import StateStorage
import Testing

@testable import SyncEngine

@Suite("A container whose schema is fixed", .timeLimit(.minutes(30)))
struct ContainerSchemaTests {
    private static func deploy(_ schema: Schema, in world: EngineWorld) throws {
        try world.server.store.importSchema(schema, into: EngineWorld.container)
        try world.server.store.promoteSchema(of: EngineWorld.container)
    }

    @Test("With the schema that comes with the program, production takes files and structured records (protocol §8.3)")
    func shipped() async throws {
        try await EngineWorld.run { world in
            try Self.deploy(try SchemaSource.schema(Schema.ofMapping(structuredTypes: ["Note"]).text), in: world)
            let laptop = try world.device("laptop") { $0.environment = .production }
            let desk = try world.device("desk") { $0.environment = .production }
            try laptop.write("plain", to: "deep/plain.txt")
            try laptop.write("{\n  \"nothing\" : null,\n  \"none\": []\n}", to: "Note/a.json")
            try await converge(laptop, desk)
            try laptop.move("deep/plain.txt", to: "moved.txt")
            try laptop.move("Note/a.json", to: "Note/deep/b.json")
            try await converge(laptop, desk)
            #expect(try await laptop.report().held.isEmpty)
            #expect(try desk.files() == laptop.files())
            #expect(try desk.files().keys.sorted() == ["Note/deep/b.json", "moved.txt"])
        }
    }

    @Test("A record type and a field that are missing are named with the way out, and the files follow by themselves")
    func missing() async throws {
        try await EngineWorld.run { world in
            try Self.deploy(Schema(recordTypes: [.init("Note", fields: [.init("title", .string)])]), in: world)
            let laptop = try world.device("laptop") { $0.environment = .production }
            let desk = try world.device("desk") { $0.environment = .production }
            try laptop.write("plain", to: "plain.txt")
            try laptop.write(#"{"title": "a", "rank": 7}"#, to: "Note/a.json")
            try laptop.write(#"{"title": "b", "rank": 8}"#, to: "Note/b.json")
            try laptop.write(#"{"x": 1}"#, to: "Todo/a.json")
            try laptop.write("{\n  \"title\": \"c\"\n}\n", to: "Note/c.json")
            try laptop.write(#"{"title": null}"#, to: "Note/d.json")
            try await converge(laptop, desk)
            #expect(try desk.files() == ["Note/c.json": "{\n  \"title\": \"c\"\n}\n"])
            let held = try await laptop.report().held
            #expect(Set(held.map(\.code)) == ["schemaMissing"])
            let schema = "the schema of \(EngineWorld.container) in production lacks"
            let field = "Field rank not found in Note"
            #expect(
                held.map(\.message).sorted() == [
                    "Note/a.json: \(schema) the field 'rank' (INT64) of the record type Note. (\(field))",
                    "Note/b.json: \(schema) the field 'rank' (INT64) of the record type Note. (\(field))",
                    "Note/d.json: the value of \"title\", which CloudKit has no type for, cannot be kept, because the "
                        + "container's schema in production lacks the field 'zonefolder' (STRING) of the record type Note.",
                    "Todo/a.json: \(schema) the record type Todo. (Cannot create new type Todo in this schema)",
                    "plain.txt: \(schema) the record type File. (Cannot create new type File in this schema)",
                ])
            #expect(held.allSatisfy { $0.remedy.contains("zonefolder schema promote --data DIR") })
            #expect(
                held.filter { $0.remedy.contains("`zonefolder schema template") }.map(\.path).sorted()
                    == ["Note/d.json", "plain.txt"])

            // Again, and nothing changed: still held.
            laptop.pass(.seconds(40))
            try await converge(laptop, desk)
            #expect(try await laptop.report().held.count == 5)

            var whole = Schema.ofMapping(structuredTypes: ["Note", "Todo"])
            whole.recordTypes[1].fields += [.init("title", .string), .init("rank", .int64)]
            whole.recordTypes[2].fields.append(.init("x", .int64))
            try Self.deploy(whole, in: world)
            laptop.pass(.seconds(120))
            try await converge(laptop, desk)
            #expect(try await laptop.report().held.isEmpty)
            #expect(try desk.files() == laptop.files())
            #expect(try desk.files().count == 6)
        }
    }

    @Test("What closes a gap in the schema lets everything through that waits for it, at once")
    func closedGap() async throws {
        try await EngineWorld.run { world in
            try Self.deploy(Schema(), in: world)
            let laptop = try world.device("laptop") { $0.environment = .production }
            try laptop.write("one", to: "one.txt")
            try await laptop.sync()
            // Long enough that it is refused several times, and waits longer each time than what comes now.
            for _ in 0..<6 {
                laptop.pass(.seconds(1000))
                try await laptop.sync()
            }
            try Self.deploy(Schema.ofMapping(), in: world)
            try laptop.write("two", to: "two.txt")
            try await laptop.sync()
            #expect(try await laptop.report().held.isEmpty)
        }
    }

    @Test("While its record type is missing, one file asks for all: no asset is sent again and again in vain")
    func oneAsks() async throws {
        try await EngineWorld.run { world in
            try Self.deploy(Schema(), in: world)
            let laptop = try world.device("laptop") { $0.environment = .production }
            for number in 0..<5 { try laptop.write("text \(number)", to: "\(number).txt") }
            await laptop.session.settle()
            #expect(laptop.network.takeOperations().count { $0 == "upload" } >= 5)
            laptop.pass(.seconds(1000))
            await laptop.session.settle()
            #expect((1..<5).contains(laptop.network.takeOperations().count { $0 == "upload" }))
            #expect(try await laptop.report().held.count == 5)
            try Self.deploy(Schema.ofMapping(), in: world)
            laptop.pass(.seconds(1000))
            try await laptop.sync()
            #expect(try await laptop.report().held.isEmpty)
        }
    }

    @Test(
        "A refusal tells what is missing",
        arguments: [
            ("Field rank not found in Note", SchemaGap(recordType: "Note", field: "rank", fieldType: "INT64")),
            ("Field 'other' not found in Note", SchemaGap(recordType: "Note", field: "other")),
            ("Cannot create new type Todo in production schema", SchemaGap(recordType: "Todo")),
            (
                "Cannot create or modify field 'rank' in record 'Note' in production schema",
                SchemaGap(recordType: "Note", field: "rank", fieldType: "INT64")
            ),
            (
                "Cannot create or modify field rank in record Note in production schema",
                SchemaGap(recordType: "Note", field: "rank", fieldType: "INT64")
            ),
            ("Did not find record type: Todo", SchemaGap(recordType: "Todo")),
            ("unknown field \"rank\"", SchemaGap(recordType: "Note", field: "rank", fieldType: "INT64")),
            ("Field zonefolderId not found in Note", SchemaGap(recordType: "Note", field: "zonefolderId")),
            ("Field zonefolder not found in Note", SchemaGap(recordType: "Note", field: "zonefolder")),
            ("Unknown field 'zonefolder'.", SchemaGap(recordType: "Note", field: "zonefolder")),
            ("Did not find record type: Note in iCloud.org.zonefolder.notes", SchemaGap(recordType: "Note")),
            ("Cannot create new type 'field of dreams' now", SchemaGap(recordType: "field of dreams")),
            ("not found in this schema", nil), ("", nil), ("type", nil), ("field", nil),
            ("it isn't in the record type 'Note'", SchemaGap(recordType: "Note")),
            ("the field is not found in it", nil),
            ("a value of type STRING was not found in the list", nil), ("record type", nil),
            ("'field' rank not found", nil),
        ])
    func gap(reason: String, expected: SchemaGap?) {
        let gap = SchemaGap(refusal: reason, recordType: "Note") { $0 == "rank" ? .int64(1) : nil }
        #expect(gap == expected)
    }

    @Test("A refusal that names neither field nor type holds the file that it is about, and no other of its type")
    func unclearRefusal() async throws {
        try await EngineWorld.run { world in
            var error = ErrorDictionary(.badRequest, reason: "what was sent was not found in the catalogue")
            error.recordName = "Note/a"
            world.faults.add(
                FaultRule(
                    .alter(.recordError(error, recordName: "Note/a")),
                    on: FaultRule.Match(operation: "records/modify")))
            let laptop = try world.device("laptop")
            try laptop.write(#"{"x": 0}"#, to: "Note/a.json")
            await laptop.session.settle()
            #expect(try await laptop.report().held.map(\.path) == ["Note/a.json"])
            #expect(try await laptop.report().held.first?.message.contains("not found in the catalogue") == true)
            for number in 0..<5 { try laptop.write(#"{"x": 1}"#, to: "Note/b\(number).json") }
            // Long enough that the first one is tried again together with the others.
            laptop.pass(.seconds(1000))
            await laptop.session.settle()
            #expect(try await laptop.report().held.map(\.path) == ["Note/a.json"])
            try laptop.close()
        }
    }

    @Test(
        "A refusal of a field is never answered by the same request again and again",
        arguments: ["Field zonefolderId not found in Note", "Field zonefolder not found in Note"])
    func refusedField(reason: String) async throws {
        try await EngineWorld.run { world in
            world.faults.add(
                FaultRule(
                    .alter(.recordError(ErrorDictionary(.badRequest, reason: reason), recordName: nil)),
                    on: FaultRule.Match(operation: "records/modify")))
            let laptop = try world.device("laptop")
            try laptop.write(#"{"zonefolderId": 7}"#, to: "Note/a.json")
            await laptop.session.settle()
            #expect(try await laptop.report().held.map(\.code) == ["schemaMissing"])
            #expect(laptop.network.takeOperations().count { $0 == "records/modify" } <= 2)
            world.faults.removeAll()
            laptop.pass(.seconds(1000))
            await laptop.session.settle()
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }

    @Test("The remedy is the console at Apple's service, a command at a server of one's own")
    func remedy() {
        var configuration = FolderConfiguration(container: "iCloud.x", zone: "Z", device: "d")
        let gap = SchemaGap(recordType: "Note", field: "rank", fieldType: "INT64")
        #expect(gap.remedy(configuration).contains("CloudKit console, add it to the schema, or import"))
        configuration.environment = .production
        #expect(gap.remedy(configuration).contains("deploy the changes to production"))
        configuration.server = "http://127.0.0.1:8080"
        #expect(gap.remedy(configuration).contains("`zonefolder schema promote --data DIR --container iCloud.x`"))
        configuration.environment = .development
        #expect(gap.remedy(configuration).contains("`zonefolder schema import FILE --data DIR --container iCloud.x`"))
        #expect(
            SchemaGap(recordType: "File").remedy(configuration).contains(
                "`zonefolder schema template` prints its text."))
    }
}
