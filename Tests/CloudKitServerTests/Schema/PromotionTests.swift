import CloudKitSchema
import CloudKitWire
import Testing

@testable import CloudKitServer

@Suite("The schema of production")
struct PromotionTests {
    private let world: SchemaWorld

    init() throws {
        world = try SchemaWorld()
    }

    private func refusal(of fields: [String: FieldValue], in environment: String) throws -> String? {
        try world.refusal(of: fields, in: environment)
    }

    @Test("It has what was promoted from development and no more, and keeps what it has (S1.21)")
    func promotion() throws {
        #expect(try refusal(of: ["title": .string("a")], in: "development") == nil)
        #expect(
            try refusal(of: ["title": .string("a")], in: "production") == "Cannot create new type Note in this schema")

        let all = try world.promote()
        #expect(all.starts(with: ["+ record type Note", "+ field title of Note: STRING"]))
        #expect(try refusal(of: ["title": .string("a")], in: "production") == nil)
        #expect(try refusal(of: ["extra": .string("a")], in: "production") == "Field extra not found in Note")

        #expect(try refusal(of: ["extra": .string("a"), "zonefolder": .string("{}")], in: "development") == nil)
        #expect(try world.promote(without: ["zonefolder"]).first == "+ field extra of Note: STRING")
        #expect(try refusal(of: ["extra": .string("a"), "title": .string("b")], in: "production") == nil)
        #expect(
            try refusal(of: ["zonefolder": .string("{}")], in: "production") == "Field zonefolder not found in Note")
        #expect(try world.store.promoteSchema(of: "iCloud.other").isEmpty)
        #expect(try world.promote().first == "+ field zonefolder of Note: STRING")
        #expect(try world.promote().isEmpty)
        #expect(try world.schema() == world.schema(in: "production"))
    }

    @Test("Indexes, grants and roles come along; those that development lost go")
    func indexesAndGrants() throws {
        try world.importSchema(
            """
            CREATE ROLE editor;
            RECORD TYPE Note ("___recordID" REFERENCE QUERYABLE, title STRING QUERYABLE, GRANT READ, WRITE TO editor);
            """)
        #expect(
            try world.promote() == [
                "+ role editor", "+ record type Note", "+ ___recordID of Note is QUERYABLE",
                "+ field title of Note: STRING", "+ title of Note is QUERYABLE", "+ editor may READ Note",
                "+ editor may WRITE Note",
            ])
        #expect(
            try world.indexes(of: "Note", in: "production") == ["___recordID": ["QUERYABLE"], "title": ["QUERYABLE"]])
        #expect(try world.grants(of: "Note", in: "production") == ["editor": [.read, .write]])
        try world.importSchema(#"RECORD TYPE Note (title STRING SORTABLE, GRANT READ TO "_world");"#)
        #expect(
            try world.promote() == [
                "- ___recordID of Note is QUERYABLE", "- title of Note is QUERYABLE", "+ title of Note is SORTABLE",
                "+ _world may READ Note", "- editor may READ Note", "- editor may WRITE Note",
            ])
        // The role stays: production never loses one.
        #expect(try world.schema(in: "production").roles == ["editor"])
    }

    @Test("A trial tells what would be, and changes nothing")
    func trial() throws {
        #expect(try refusal(of: ["title": .string("a")], in: "development") == nil)
        let trial = try world.store.promoteSchema(of: SchemaWorld.container, isTrial: true)
        #expect(trial.first == .addRecordType("Note"))
        #expect(try world.schema(in: "production")["Note"] == nil)
        #expect(try world.store.promoteSchema(of: SchemaWorld.container) == trial)
    }
}
