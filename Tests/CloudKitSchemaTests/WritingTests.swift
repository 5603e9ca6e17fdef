import CloudKitSchema
import SeededRandomness
import Testing

@Suite("Writing schema files")
struct WritingTests {
    @Test("A schema is written in capitals, in lines and columns, with quotes where they are needed")
    func layout() {
        let schema = Schema(
            roles: ["editor"],
            recordTypes: [
                .init(
                    "Note",
                    fields: [
                        .init("___recordID", .reference, .queryable),
                        .init("title", .string, [.searchable, .queryable]),
                        .init("Grant", .init(.string, isList: true, isEncrypted: true)),
                        .init("rank", .init(.numberPreferringInt64), .sortable),
                    ], grants: [.init([.read, .write], to: "_world"), .init([.create], to: "editor")]),
                .init("Empty", grants: []),
            ])
        #expect(
            schema.text == """
                DEFINE SCHEMA

                    CREATE ROLE editor;

                    RECORD TYPE Note (
                        "___recordID" REFERENCE QUERYABLE,
                        title         STRING QUERYABLE SEARCHABLE,
                        "Grant"       LIST<ENCRYPTED STRING>,
                        rank          NUMBER PREFERRED AS INT64 SORTABLE,
                        GRANT READ, WRITE TO "_world",
                        GRANT CREATE TO editor
                    );

                    RECORD TYPE Empty ();

                """)
    }

    @Test("What is written is read back the same, and is sound", arguments: 0..<UInt64(400))
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let schema = Schema.random(using: &random)
        #expect(schema.problems.isEmpty)
        #expect(try SchemaSource.schema(schema.text) == schema)
        #expect(try SchemaSource.schema(schema.sorted().text) == schema.sorted())
        #expect(schema.changes(to: schema.sorted()).isEmpty)
        let lower = schema.text.split(separator: "\"", omittingEmptySubsequences: false).count == 1
        if lower { #expect(throws: Never.self) { try SchemaSource(parsing: schema.text.lowercased()) } }
    }

    @Test("Whatever is done to a text, reading it ends with a schema or a place", arguments: 0..<UInt64(300))
    func damaged(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes = Array((Bool.random(using: &random) ? Example.text : Schema.random(using: &random).text).utf8)
        let scraps = [
            "/*", "*/", "//", "--", "\"", "<", ">", "(", ")", ",", ";", "\n", "\0", "é", "🗂", "LIST", "GRANT ", "\r",
        ]
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let at = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.insert(contentsOf: scraps.randomElement(using: &random)!.utf8, at: at)
            case 1: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 0...9, using: &random)))
            case 2: bytes = Array(bytes[..<at])
            default: if at < bytes.count { bytes[at] = UInt8(truncatingIfNeeded: random.next()) }
            }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        do {
            let source = try SchemaSource(parsing: text)
            #expect(source.problems.allSatisfy { $0.position != nil })
            // Only a name can stand in the way: written in quotes, it is itself again.
            #expect(try SchemaSource(parsing: source.schema.text).schema == source.schema)
        } catch {
            #expect(error.code == .syntax)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
            #expect(error.problems.allSatisfy { (1...lines).contains($0.position?.line ?? 0) })
        }
    }
}
