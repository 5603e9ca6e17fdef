import CloudKitSchema
import SeededRandomness
import Testing

@Suite("Comparing schemas")
struct ComparingTests {
    private func schema(_ text: String) throws -> Schema {
        try SchemaSource(parsing: "DEFINE SCHEMA " + text).schema
    }

    @Test(
        "Each difference is one change",
        arguments: [
            ("", "CREATE ROLE b; CREATE ROLE a;", ["+ role a", "+ role b"]), ("CREATE ROLE a;", "", ["- role a"]),
            ("", "RECORD TYPE A ();", ["+ record type A"]),
            (
                "RECORD TYPE A (x STRING QUERYABLE, GRANT READ TO a);", "",
                ["- record type A", "- field x of A: STRING", "- x of A is QUERYABLE", "- a may READ A"]
            ),
            (
                "RECORD TYPE A (x STRING, y INT64);", "RECORD TYPE A (z DOUBLE, x STRING);",
                ["- field y of A: INT64", "+ field z of A: DOUBLE"]
            ),
            (
                "RECORD TYPE A (x STRING QUERYABLE);", "RECORD TYPE A (x LIST<STRING> SEARCHABLE);",
                ["~ field x of A: STRING becomes LIST<STRING>", "- x of A is QUERYABLE", "+ x of A is SEARCHABLE"]
            ),
            (
                #"RECORD TYPE A ("___etag" STRING, "___modTime" TIMESTAMP SORTABLE);"#,
                #"RECORD TYPE A ("___recordID" REFERENCE QUERYABLE);"#,
                ["- ___modTime of A is SORTABLE", "+ ___recordID of A is QUERYABLE"]
            ),
            (
                "RECORD TYPE A (GRANT READ, WRITE TO a);", "RECORD TYPE A (GRANT WRITE TO a, GRANT CREATE TO b);",
                ["- a may READ A", "+ b may CREATE A"]
            ),
            ("RECORD TYPE A (GRANT READ TO a, GRANT WRITE TO a);", "RECORD TYPE A (GRANT WRITE, READ TO a);", []),
            ("RECORD TYPE A (); RECORD TYPE B ();", "RECORD TYPE B (); RECORD TYPE A ();", []),
        ])
    func changes(old: String, new: String, expected: [String]) throws {
        let changes = try schema(old).changes(to: schema(new))
        #expect(changes.map(\.description) == expected)
        #expect(try schema(new).changes(to: schema(old)).count == expected.count)
        #expect(changes.allSatisfy { $0.removes == $0.description.hasPrefix("-") })
    }

    @Test("Two schemas are the same exactly if nothing changes", arguments: 0..<UInt64(100))
    func same(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (one, other) = (Schema.random(using: &random), Schema.random(using: &random))
        #expect(one.changes(to: other).isEmpty == (one.sorted() == other.sorted()))
        #expect(one.changes(to: one).isEmpty)
    }

    @Test("Promoted twice is promoted once, and production loses no type, field or role", arguments: 0..<UInt64(100))
    func promoted(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (development, production) = (Schema.random(using: &random), Schema.random(using: &random))
        guard let new = try? development.promoted(over: production) else { return }
        #expect(try development.promoted(over: new).changes(to: new).isEmpty)
        for change in production.changes(to: new) {
            switch change {
            case .removeRole, .removeRecordType, .removeField: Issue.record("\(change)")
            case .retypeField(_, _, let old, _): #expect(old.element == .number)
            default: break
            }
        }
        // What production has now can be imported again.
        #expect(throws: Never.self) { try new.imported(over: new, production: new) }
    }

    @Test("Production with a field of another type refuses a promotion, naming it")
    func conflict() throws {
        let error = try #require(throws: SchemaError.self) {
            try schema("RECORD TYPE A (x STRING);").promoted(over: schema("RECORD TYPE A (x INT64);"))
        }
        #expect(error.code == .refused)
        #expect(
            error.message == "The field x of A is INT64 in production and cannot become STRING; take another name.")
        let new = try schema("RECORD TYPE A (x STRING, y ASSET);")
            .promoted(over: schema("RECORD TYPE A (x INT64);"), leavingOut: ["x"])
        #expect(new["A"]?.fields.map(\.description) == ["y ASSET", "x INT64"])
    }

    @Test("A schema that is not sound cannot be imported")
    func unsound() throws {
        let error = try #require(throws: SchemaError.self) {
            try schema("RECORD TYPE A (x ASSET QUERYABLE);").imported(over: Schema(), production: Schema())
        }
        #expect(error.code == .invalid)
    }
}

extension Schema.Field {
    fileprivate var description: String { "\(name) \(type)" }
}
