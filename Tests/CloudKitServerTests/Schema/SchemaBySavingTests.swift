import CloudKitSchema
import CloudKitWire
import GRDB
import Testing

@testable import CloudKitServer

@Suite("A schema that comes by saving")
struct SchemaBySavingTests {
    @Test("A new field gets every index that makes sense, recordName none, and a new type the usual grants (§8.3)")
    func learned() throws {
        let world = try SchemaWorld()
        let fields: [String: FieldValue] = [
            "text": .string("a"), "whole": .int64(1), "part": .double(0.5), "time": .timestamp(0), "bytes": .bytes([1]),
            "place": .location(Location(latitude: 1, longitude: 2)), "texts": .stringList(["a"]),
            "wholes": .int64List([1]),
        ]
        #expect(try world.refusal(of: fields, in: "development") == nil)
        let range = ["QUERYABLE", "SORTABLE"]
        #expect(
            try world.indexes(of: "Note") == [
                "text": ["QUERYABLE", "SORTABLE", "SEARCHABLE"], "whole": range, "part": range, "time": range,
                "place": range, "texts": ["QUERYABLE", "SEARCHABLE"], "wholes": ["QUERYABLE"],
            ])
        #expect(
            try world.grants(of: "Note") == ["_creator": [.write], "_icloud": [.create], "_world": [.read]])
        #expect(try world.indexes(of: "Note", in: "production").isEmpty)
        #expect(try world.grants(of: "Nothing").isEmpty)
    }

    @Test("An encrypted field gets no index")
    func encrypted() throws {
        let world = try SchemaWorld()
        let record = CloudKitWire.Record(
            recordType: "Note", fields: ["secret": Field(.string("s"), isEncrypted: true)])
        #expect(try world.refusal(of: RecordOperation(.create, record), in: "development") == nil)
        #expect(try world.indexes(of: "Note").isEmpty)
        #expect(try world.schema()["Note"]?["secret"]?.type == .encrypted(.string))
    }

    @Test("Where nothing is learned, saving is refused in development too, in the service's words (§8.3)")
    func unlearned() throws {
        let world = try SchemaWorld(learns: false)
        #expect(
            try world.refusal(of: ["title": .string("a")], in: "development")
                == "Cannot create new type Note in this schema")
        try world.importSchema("RECORD TYPE Note (title STRING);")
        #expect(try world.refusal(of: ["title": .string("a")], in: "development") == nil)
        #expect(try world.refusal(of: ["more": .int64(1)], in: "development") == "Field more not found in Note")
    }

    @Test("A store of the first version gets the indexes and grants that it would have got")
    func migrated() throws {
        let writer = try DatabaseQueue()
        try Migrations.migrator.migrate(writer, upTo: "1: accounts, records, subscriptions")
        let types = Schema.Element.allCases.flatMap { element in
            [Schema.FieldType(element), Schema.FieldType(element, isList: true), .encrypted(element)]
        }
        .filter { ($0.element.canBeEncrypted || !$0.isEncrypted) && !$0.description.contains("NUMBER") }
        try writer.write { db in
            for environment in ["development", "production"] {
                for (index, type) in [("", "")]
                    + types.map(\.wireName).enumerated().map({ ("f\($0.offset)", $0.element) })
                {
                    try db.execute(
                        sql: "INSERT INTO schema_fields VALUES (?, ?, 'Note', ?, ?)",
                        arguments: [SchemaWorld.container, environment, index, type])
                }
            }
        }
        let world = try SchemaWorld(writer: writer)
        for environment in ["development", "production"] {
            let note = try #require(try world.schema(in: environment)["Note"])
            #expect(note.fields.count == types.count)
            for field in note.fields { #expect(field.indexes == field.type.possibleIndexes, "\(field.type)") }
            #expect(note.permissions == Schema.RecordType("Note").permissions)
        }
    }

    @Test("A type's name in the store tells the type", arguments: Schema.Element.allCases)
    func wireName(element: Schema.Element) {
        for isList in [false, true] {
            for isEncrypted in element.canBeEncrypted ? [false, true] : [false] {
                let type = Schema.FieldType(element, isList: isList, isEncrypted: isEncrypted)
                #expect(Schema.FieldType(wireName: type.wireName) == type)
            }
        }
        #expect(Schema.FieldType(wireName: "NONSENSE") == nil)
    }
}
