import CloudKitSchema
import Testing

@Suite("Reading schema files")
struct ParsingTests {
    private static let range: Schema.Indexes = [.queryable, .sortable]

    @Test("The example says what it says (protocol §8.2)")
    func example() throws {
        let schema = try SchemaSource.schema(Example.text)
        #expect(schema.roles == ["editor"])
        #expect(schema.recordTypes.map(\.name) == ["Note", "File"])
        #expect(
            schema["Note"]?.fields == [
                .init("___recordID", .reference, .queryable), .init("___modTime", .timestamp, Self.range),
                .init("path", .string, Self.range), .init("title", .string, [.queryable, .sortable, .searchable]),
                .init("rank", .int64, Self.range), .init("ratio", .double), .init("due", .timestamp, Self.range),
                .init("tags", .list(.string), [.queryable, .searchable]), .init("place", .location, .queryable),
                .init("thumbnail", .bytes), .init("cover", .asset), .init("folder", .reference, .queryable),
                .init("secret", .encrypted(.string)), .init("queryable", .string),
            ])
        #expect(
            schema["Note"]?.grants == Schema.Grant.usual + [Schema.Grant([.read, .create, .write], to: "editor")])
        #expect(schema["File"]?.fields.count == 7)
        #expect(schema["File"]?.grants == [])
        #expect(schema["Note"]?["secret"]?.type.isEncrypted == true)
        #expect(schema["note"] == nil)
    }

    @Test(
        "Every type of a field is read",
        arguments: Schema.Element.allCases.flatMap { element in
            [false, true].flatMap { isList in
                (element.canBeEncrypted ? [false, true] : [false]).map {
                    Schema.FieldType(element, isList: isList, isEncrypted: $0)
                }
            }
        })
    func types(type: Schema.FieldType) throws {
        let schema = try SchemaSource.schema("DEFINE SCHEMA RECORD TYPE A (x \(type));")
        #expect(schema["A"]?.fields == [.init("x", type)])
    }

    @Test("Comments, white space and the case of keywords mean nothing; the case of names does")
    func lenient() throws {
        let schema = try SchemaSource(
            parsing:
                "\u{FEFF}define/* ** / // */schema--x\r\n\tcreate role Editor;record TYPE a(x list<encrypted string>queryable"
                + " // end\n,X number preferred as double,grant read,Write to Editor)-- end\n;"
        ).schema
        #expect(
            schema
                == Schema(
                    roles: ["Editor"],
                    recordTypes: [
                        .init(
                            "a",
                            fields: [
                                .init("x", .init(.string, isList: true, isEncrypted: true), .queryable),
                                .init("X", .init(.numberPreferringDouble)),
                            ], grants: [.init([.read, .write], to: "Editor")])
                    ]))
        #expect(try SchemaSource(parsing: "DEFINE SCHEMA").schema == Schema())
        #expect(try SchemaSource(parsing: "DEFINE SCHEMA RECORD TYPE A ();").schema["A"]?.fields == [])
    }

    /// A text that does not follow the grammar, and what is said of it.
    struct Mistake: Sendable, CustomTestStringConvertible {
        var text: String
        var line: Int
        var column: Int
        var message: String

        var testDescription: String { text }

        init(_ text: String, _ line: Int, _ column: Int, _ message: String) {
            (self.text, self.line, self.column, self.message) = (text, line, column, message)
        }
    }

    private static let recordType = "DEFINE SCHEMA RECORD TYPE A ("

    @Test(
        "A mistake is told with its place, what is expected there, and what was found",
        arguments: [
            Mistake("", 1, 1, "A schema begins with DEFINE SCHEMA; found was the end of the text."),
            Mistake(
                "{}", 1, 1,
                "'{' means nothing here; a name with other characters than letters, digits and '_' is put into quotes."),
            Mistake("  define\n\tscheme", 2, 2, "SCHEMA is expected after DEFINE; found was 'scheme'."),
            Mistake("DEFINE SCHEMA\nTYPE A", 2, 1, "CREATE ROLE or RECORD TYPE is expected; found was 'TYPE'."),
            Mistake("DEFINE SCHEMA CREATE a;", 1, 22, "ROLE is expected after CREATE; found was 'a'."),
            Mistake(
                "DEFINE SCHEMA CREATE ROLE a", 1, 28, "';' is expected after a role; found was the end of the text."),
            Mistake("DEFINE SCHEMA RECORD A", 1, 22, "TYPE is expected after RECORD; found was 'A'."),
            Mistake("DEFINE SCHEMA RECORD TYPE (", 1, 27, "A record type's name is expected; found was '('."),
            Mistake(
                "DEFINE SCHEMA RECORD TYPE _a (", 1, 27,
                "A record type's name is expected; one that does not begin with a letter is put into quotes; found was '_a'."
            ),
            Mistake(
                "DEFINE SCHEMA RECORD TYPE A x", 1, 29, "'(' is expected after a record type's name; found was 'x'."),
            Mistake(
                recordType + "x STRING)", 1, 39, "';' is expected after a record type; found was the end of the text."),
            Mistake(recordType + "\nx STRING,\n);", 3, 1, "A field or a GRANT is expected; found was ')'."),
            Mistake(
                recordType + "x STRING y STRING);", 1, 39,
                "',' or ')' is expected after a field or a grant; found was 'y'."),
            Mistake(
                recordType + "x TEXT);", 1, 32,
                "A field's type is expected, such as STRING or LIST<INT64>; found was 'TEXT'."),
            Mistake(
                recordType + "é STRING);", 1, 30,
                "'é' means nothing here; a name with other characters than letters, digits and '_' is put into quotes."),
            Mistake(
                recordType + "\"é\" );", 1, 34,
                "A field's type is expected, such as STRING or LIST<INT64>; found was ')'."
            ),
            Mistake(
                recordType + "x \"STRING\");", 1, 32,
                "A field's type is expected, such as STRING or LIST<INT64>; found was \"STRING\"."),
            Mistake(
                recordType + "x ENCRYPTED ASSET);", 1, 42,
                "ENCRYPTED is followed by one of STRING, INT64, DOUBLE, TIMESTAMP, BYTES, LOCATION; found was 'ASSET'."),
            Mistake(
                recordType + "x ENCRYPTED NUMBER);", 1, 42,
                "ENCRYPTED is followed by one of STRING, INT64, DOUBLE, TIMESTAMP, BYTES, LOCATION; found was 'NUMBER'."
            ),
            Mistake(recordType + "x LIST STRING);", 1, 37, "'<' is expected after LIST; found was 'STRING'."),
            Mistake(
                recordType + "x LIST<LIST<STRING>>);", 1, 37,
                "A field's type is expected, such as STRING or LIST<INT64>; found was 'LIST'."),
            Mistake(
                recordType + "x LIST<STRING);", 1, 43,
                "'>' is expected after the type of a list's elements; found was ')'."),
            Mistake(
                recordType + "x NUMBER PREFERRED INT64);", 1, 49, "AS is expected after PREFERRED; found was 'INT64'."),
            Mistake(
                recordType + "x NUMBER PREFERRED AS STRING);", 1, 52,
                "A NUMBER is PREFERRED AS INT64 or DOUBLE; found was 'STRING'."),
            Mistake(
                recordType + "Queryable STRING);", 1, 30,
                "A field's name is expected; the reserved word is one only in quotes, \"Queryable\"; found was 'Queryable'."
            ),
            Mistake(
                recordType + "grant STRING);", 1, 36,
                "READ, CREATE or WRITE is expected after GRANT; a field named grant is put into quotes; found was 'STRING'."
            ),
            Mistake(
                recordType + "GRANT READ WRITE TO a);", 1, 41,
                "',' or TO is expected after a permission; found was 'WRITE'."),
            Mistake(recordType + "GRANT READ TO);", 1, 43, "A role's name is expected; found was ')'."),
            Mistake("DEFINE SCHEMA\n  /* a\n b", 2, 3, "This comment lacks its closing '*/'."),
            Mistake("DEFINE SCHEMA RECORD TYPE \"A\n", 1, 27, "The name \"A lacks its closing quote."),
        ])
    func mistakes(mistake: Mistake) throws {
        let error = try #require(throws: SchemaError.self) { try SchemaSource(parsing: mistake.text) }
        #expect(error.code == .syntax)
        #expect(
            error.problems == [
                SchemaProblem(mistake.message, at: SchemaPosition(line: mistake.line, column: mistake.column))
            ])
        #expect(error.message == "line \(mistake.line), column \(mistake.column): \(mistake.message)")
    }
}
