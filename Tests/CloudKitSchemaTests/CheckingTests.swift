import CloudKitSchema
import Testing

@Suite("What cannot be in a schema")
struct CheckingTests {
    @Test(
        "It is named with its place and the way out",
        arguments: [
            ("CREATE ROLE a; CREATE ROLE a;", 42, "The role a is there twice."),
            (#"CREATE ROLE "_world";"#, 27, "The role _world exists in every container and is not made."),
            (
                #"CREATE ROLE "a b";"#, 27,
                #""a b" cannot be the name of a role: it must begin with a letter and hold letters, digits and '_'."#
            ),
            ("RECORD TYPE A (); RECORD TYPE A ();", 45, "The record type A is there twice."),
            (
                #"RECORD TYPE "_A" ();"#, 27,
                #""_A" cannot be the name of a record type: it must begin with a letter and hold letters, digits and '_'."#
            ),
            ("RECORD TYPE A (x STRING, x STRING);", 40, "The field x of A is there twice."),
            (
                #"RECORD TYPE A ("1x" STRING);"#, 30,
                #""1x" cannot be the name of a field: it must begin with a letter and hold letters, digits and '_'."#
            ),
            (
                #"RECORD TYPE A ("___size" INT64);"#, 30,
                "A names ___size, which is no system field: they are ___recordID, ___createTime, ___createdBy, ___modTime, "
                    + "___modifiedBy, ___etag."
            ),
            (
                #"RECORD TYPE A ("___modTime" STRING);"#, 30,
                "The system field ___modTime of A is TIMESTAMP and cannot be STRING."
            ),
            (
                "RECORD TYPE A (x ASSET QUERYABLE);", 30,
                "The field x of A is ASSET and cannot be QUERYABLE: it can have no index."
            ),
            (
                "RECORD TYPE A (x INT64 SORTABLE SEARCHABLE);", 30,
                "The field x of A is INT64 and cannot be SEARCHABLE: it can be QUERYABLE and SORTABLE."
            ),
            (
                "RECORD TYPE A (x ENCRYPTED STRING QUERYABLE SORTABLE);", 30,
                "The field x of A is ENCRYPTED STRING and cannot be QUERYABLE or SORTABLE: it can have no index."
            ),
            (
                "RECORD TYPE A (GRANT READ TO b);", 30,
                #"A grants to the role b, which does not exist: make it with CREATE ROLE, or grant to "_world", "_icloud" or "#
                    + #""_creator"."#
            ),
            (#"RECORD TYPE A (GRANT READ, READ TO "_world");"#, 30, "A grants READ to _world twice."),
            (
                #"RECORD TYPE A (GRANT READ TO "_world", GRANT CREATE, READ TO "_world");"#, 54,
                "A grants READ to _world twice."
            ),
        ])
    func finding(text: String, column: Int, message: String) throws {
        let error = try #require(throws: SchemaError.self) { try SchemaSource.schema("DEFINE SCHEMA " + text) }
        #expect(error.code == .invalid)
        #expect(error.problems == [SchemaProblem(message, at: SchemaPosition(line: 1, column: column))])
        let schema = try SchemaSource(parsing: "DEFINE SCHEMA " + text).schema
        #expect(schema.problems == [SchemaProblem(message)])
    }

    @Test("Everything that is wrong is told, in the order of the text")
    func all() throws {
        let source = try SchemaSource(
            parsing: """
                DEFINE SCHEMA
                RECORD TYPE A (x BYTES SORTABLE, x BYTES SORTABLE,
                  GRANT READ TO nobody);
                RECORD TYPE A ();
                CREATE ROLE "?";
                """)
        #expect(source.problems.map(\.position?.line) == [2, 2, 2, 3, 4, 5])
    }

    @Test("A name may have 255 bytes and no more")
    func longNames() throws {
        let longest = String(repeating: "n", count: SchemaName.longest)
        #expect(try SchemaSource(parsing: "DEFINE SCHEMA RECORD TYPE \(longest) ();").problems.isEmpty)
        #expect(
            try SchemaSource(parsing: "DEFINE SCHEMA RECORD TYPE \(longest)n ();").problems.map(\.message) == [
                "The record type nnnnnnnnnnnnnnnnnnnn… has a name of 256 bytes; the limit is 255."
            ])
    }

    @Test(
        "Each type has the indexes that a query can use (protocol §8.1)",
        arguments: [
            ("STRING", ["QUERYABLE", "SORTABLE", "SEARCHABLE"]), ("INT64", ["QUERYABLE", "SORTABLE"]),
            ("DOUBLE", ["QUERYABLE", "SORTABLE"]), ("TIMESTAMP", ["QUERYABLE", "SORTABLE"]),
            ("NUMBER", ["QUERYABLE", "SORTABLE"]), ("LOCATION", ["QUERYABLE", "SORTABLE"]),
            ("REFERENCE", ["QUERYABLE"]), ("BYTES", []), ("ASSET", []), ("ENCRYPTED STRING", []),
            ("ENCRYPTED INT64", []), ("LIST<STRING>", ["QUERYABLE", "SEARCHABLE"]), ("LIST<INT64>", ["QUERYABLE"]),
            ("LIST<LOCATION>", ["QUERYABLE"]), ("LIST<ASSET>", []), ("LIST<BYTES>", []), ("LIST<ENCRYPTED INT64>", []),
        ] as [(String, [String])])
    func indexes(type: String, keywords: [String]) throws {
        let schema = try SchemaSource.schema("DEFINE SCHEMA RECORD TYPE A (x \(type));")
        #expect(schema["A"]?["x"]?.possibleIndexes.texts == keywords)
    }
}
