import CloudKitSchema
import CloudKitWire
import Testing

@testable import CloudKitServer

@Suite("A schema that is imported")
struct ImportTests {
    private let world: SchemaWorld

    init() throws {
        world = try SchemaWorld()
    }

    @Test("It is development's, wholly: what it omits is deleted (protocol §8.1)")
    func declarative() throws {
        try world.importSchema(
            "CREATE ROLE editor; RECORD TYPE Note (title STRING QUERYABLE, old INT64, GRANT READ TO editor);"
                + "RECORD TYPE Gone ();")
        #expect(
            try world.importSchema(#"RECORD TYPE Note ("___modTime" TIMESTAMP SORTABLE, title STRING, new ASSET);"#)
                == [
                    "- role editor", "- record type Gone", "+ ___modTime of Note is SORTABLE",
                    "+ field new of Note: ASSET",
                    "- field old of Note: INT64", "- title of Note is QUERYABLE", "- editor may READ Note",
                ])
        #expect(try world.indexes(of: "Note") == ["___modTime": ["SORTABLE"]])
        #expect(try world.grants(of: "Note").isEmpty)
        let text = try world.schema().text
        #expect(try SchemaSource.schema(text) == world.schema())
        #expect(try world.store.importSchema(SchemaSource.schema(text), into: SchemaWorld.container).isEmpty)
        #expect(try world.store.schema(of: "iCloud.other", in: "development").recordTypes == [.users])
    }

    @Test("Records are checked against it at once, and fields that it lacks still come by saving")
    func used() throws {
        try world.importSchema(
            "RECORD TYPE Note (rank INT64, secret ENCRYPTED STRING, tags LIST<STRING>, cover ASSET);")
        #expect(try world.refusal(of: ["rank": .int64(1), "tags": .stringList([])], in: "development") == nil)
        #expect(
            try world.refusal(of: ["rank": .string("1")], in: "development")
                == "invalid attempt to set value type STRING for field 'rank' for type 'Note', defined to be: INT64")
        #expect(try world.refusal(of: ["secret": .string("s")], in: "development") == nil)
        #expect(try world.refusal(of: ["more": .double(1)], in: "development") == nil)
        #expect(try world.schema()["Note"]?["more"]?.type == .double)
    }

    @Test("What production has cannot be removed or retyped; then nothing is changed (protocol §8.1)")
    func deployed() throws {
        try world.importSchema("RECORD TYPE Note (title STRING, rank INT64); RECORD TYPE Todo (open INT64);")
        _ = try world.promote()
        let before = try world.schema()
        #expect(
            try world.objections(to: "RECORD TYPE Note (rank DOUBLE, extra STRING);") == [
                "The field rank of Note is INT64 in production and cannot become DOUBLE; take another name.",
                "The field title of Note is in production and cannot be removed; the file lacks it. It is STRING.",
                "The record type Todo is in production and cannot be removed; the file lacks it.",
            ])
        #expect(try world.schema() == before)
        #expect(
            try world.objections(
                to: "RECORD TYPE Note (title STRING, rank INT64, x ASSET); RECORD TYPE Todo (open INT64);"
            )
            .isEmpty)
    }

    @Test("A field gets another type only by being deleted first (protocol §8.3)")
    func retyped() throws {
        try world.importSchema("RECORD TYPE Note (rank INT64);")
        #expect(
            try world.objections(to: "RECORD TYPE Note (rank DOUBLE);") == [
                "The field rank of Note is INT64 and cannot become DOUBLE: a field's type never changes. Import a schema "
                    + "without the field first, then one with its new type."
            ])
        try world.importSchema("RECORD TYPE Note ();")
        try world.importSchema("RECORD TYPE Note (rank DOUBLE);")
        #expect(try world.schema()["Note"]?["rank"]?.type == .double)
    }

    @Test("A type with records and a field with values stay until these are deleted")
    func inUse() throws {
        for (name, fields) in [("a", ["title": FieldValue.string("a")]), ("b", ["title": .string("b")]), ("c", [:])] {
            #expect(try world.refusal(of: fields, name: name, in: "development") == nil)
        }
        #expect(
            try world.objections(to: "RECORD TYPE Other ();") == [
                "The record type Note cannot be deleted: development has 3 records of it. Delete the records first, or "
                    + "keep it in the file."
            ])
        #expect(
            try world.objections(to: "RECORD TYPE Note ();") == [
                "The field title of Note cannot be deleted: development has 2 records with it. Delete the values first, or "
                    + "keep it in the file."
            ])
        for name in ["a", "b"] { #expect(try world.refusal(of: [:], name: name, in: "development") == nil) }
        #expect(try world.objections(to: "RECORD TYPE Note ();").isEmpty)
        for name in ["a", "b", "c"] {
            let deletion = RecordOperation(.forceDelete, CloudKitWire.Record(recordName: name))
            #expect(try world.refusal(of: deletion, in: "development") == nil)
        }
        #expect(try world.objections(to: "").isEmpty)
        #expect(try world.schema().recordTypes == [.users])
    }

    @Test("The type of the users is there unasked, and what a file adds to it stays when another omits it")
    func users() throws {
        #expect(try world.schema()["Users"] == .users)
        try world.importSchema(#"RECORD TYPE Users (roles LIST<INT64>, nick STRING, GRANT READ TO "_world");"#)
        try world.importSchema("RECORD TYPE Note ();")
        #expect(try world.schema()["Users"]?["nick"]?.type == .string)
        #expect(try world.grants(of: "Users") == ["_world": [.read]])
    }

    @Test(
        "A NUMBER takes whole numbers and others until one is preferred",
        arguments: [
            ("NUMBER", .int64(1), true), ("NUMBER", .double(1), true),
            ("NUMBER", .untyped(json: Array("1.5".utf8)), true),
            ("NUMBER", .string("1"), false), ("NUMBER PREFERRED AS INT64", .int64(1), true),
            ("NUMBER PREFERRED AS INT64", .double(1.5), false),
            ("NUMBER PREFERRED AS DOUBLE", .untyped(json: Array("1".utf8)), true),
            ("NUMBER PREFERRED AS DOUBLE", .double(1), true), ("LIST<NUMBER>", .int64List([1]), true),
            ("LIST<NUMBER>", .int64(1), false), ("LIST<NUMBER>", .untyped(json: Array("[1, 2.5]".utf8)), true),
        ] as [(String, FieldValue, Bool)])
    func numbers(type: String, value: FieldValue, isTaken: Bool) throws {
        try world.importSchema("RECORD TYPE Note (rank \(type));")
        #expect((try world.refusal(of: ["rank": value], in: "development") == nil) == isTaken)
        #expect(try world.schema()["Note"]?["rank"]?.type.description == type)
    }

    @Test("A NUMBER may be settled, also once it is deployed, and only so")
    func settledNumber() throws {
        try world.importSchema("RECORD TYPE Note (rank NUMBER);")
        _ = try world.promote()
        #expect(try world.objections(to: "RECORD TYPE Note (rank INT64);").count == 1)
        try world.importSchema("RECORD TYPE Note (rank NUMBER PREFERRED AS INT64);")
        #expect(
            try world.promote() == ["~ field rank of Note: NUMBER becomes NUMBER PREFERRED AS INT64"])
        #expect(try world.objections(to: "RECORD TYPE Note (rank NUMBER);").count == 1)
    }
}
