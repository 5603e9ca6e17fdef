import CloudKitSchema
import CloudKitWire
import SyncModel
import Testing

@testable import RecordMapping

@Suite("The mapping and a container's schema")
struct ContainerSchemaTests {
    @Test("A schema file tells the types of fields, and who can carry hints (protocol §8.2)")
    func example() throws {
        let schema = ZoneSchema(
            try SchemaSource.schema(
                """
                DEFINE SCHEMA
                    CREATE ROLE editor;
                    RECORD TYPE Note (
                        "___recordID"   REFERENCE QUERYABLE,
                        title           STRING QUERYABLE SORTABLE SEARCHABLE,
                        tags            LIST<STRING> QUERYABLE,
                        rank            NUMBER PREFERRED AS INT64,
                        open            NUMBER,
                        cover           ASSET,
                        secret          ENCRYPTED STRING,
                        "queryable"     DOUBLE,
                        zonefolder      STRING,
                        GRANT READ, CREATE, WRITE TO editor
                    );
                    RECORD TYPE Empty (zonefolder INT64);
                """))
        #expect(
            schema.types["Note"]?.fields == [
                "title": .init(.string), "tags": .init(.stringList), "rank": .init(.int64), "cover": .init(.asset),
                "secret": .init(.string, isEncrypted: true), "queryable": .init(.double),
            ])
        #expect(schema.hasHintsField("Note"))
        #expect(!schema.hasHintsField("Empty"))
    }

    @Test("The schema that comes with the program declares what file records are saved with")
    func fileRecord() throws {
        let schema = Schema.ofMapping(structuredTypes: ["Note"])
        #expect(schema.problems.isEmpty)
        #expect(ZoneSchema(schema).hasHintsField("Note"))
        let record = FileRecord(
            path: try #require(FolderPath("a.txt")), content: Asset(), size: 1,
            sha256: try #require(ContentHash(hex: String(repeating: "0", count: 64))), modified: 2, isExecutable: true)
        let file = try #require(ZoneSchema(schema).types["File"])
        #expect(
            record.fields.compactMapValues { $0.value.flatMap(FieldType.init(of:)) } == file.fields.mapValues(\.type))
    }
}
