import CloudKitSchema
import Testing

@Suite("Adding an index to a schema")
struct IndexingTests {
    private static let text = """
        DEFINE SCHEMA
            RECORD TYPE Note (title STRING QUERYABLE, tags LIST<STRING>, secret ENCRYPTED STRING, cover ASSET);
            RECORD TYPE Page ("___recordID" REFERENCE QUERYABLE);
        """

    @Test(
        "An index that makes sense is added, and one that is there stays",
        arguments: [
            (.sortable, "title", "Note", ["+ title of Note is SORTABLE"]), (.queryable, "title", "Note", []),
            (.searchable, "tags", "Note", ["+ tags of Note is SEARCHABLE"]),
            (.queryable, "___recordID", "Note", ["+ ___recordID of Note is QUERYABLE"]),
            (.sortable, "___recordID", "Page", ["+ ___recordID of Page is SORTABLE"]),
        ] as [(Schema.Indexes, String, String, [String])])
    func adds(index: Schema.Indexes, field: String, type: String, changes: [String]) throws {
        let schema = try SchemaSource.schema(Self.text)
        let indexed = try schema.adding(index, to: field, of: type)
        #expect(schema.changes(to: indexed).map(\.description) == changes)
        try indexed.check()
    }

    @Test(
        "What cannot be is refused, and the refusal says what can",
        arguments: [
            (.queryable, "title", "None", "There is no record type None. There are: Note, Page."),
            (.queryable, "none", "Note", "Note has no field none. It has: title, tags, secret, cover."),
            (.queryable, "none", "Page", "Page has no field none. It has: none."),
            (
                .sortable, "tags", "Note",
                "tags of Note is LIST<STRING> and cannot be sortable. It can be: queryable, searchable."
            ),
            (
                .queryable, "secret", "Note",
                "secret of Note is ENCRYPTED STRING and cannot be queryable. Nothing can be asked of it."
            ),
        ] as [(Schema.Indexes, String, String, String)])
    func refuses(index: Schema.Indexes, field: String, type: String, sentence: String) throws {
        let schema = try SchemaSource.schema(Self.text)
        let error = #expect(throws: SchemaError.self) { try schema.adding(index, to: field, of: type) }
        #expect(error?.code == .refused && error?.message == sentence)
    }
}
