import Foundation
import Testing

@Suite("Schema commands", .timeLimit(.minutes(30)))
struct SchemaCommandTests {
    /// A server's data, without a server.
    private final class ServerData {
        let place = FileManager.default.temporaryDirectory.appending(path: "zf-schema-\(UUID().uuidString)")
        var options: [String] { ["--data", place.appending(path: "server").path, "--container", RealWorld.container] }

        init() async throws {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let outcome = try await RealProgram.run(arguments: ["serve", "user", "add", "ada"] + options)
            guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
        }

        deinit {
            try? FileManager.default.removeItem(at: place)
        }

        func schema(_ arguments: String..., input: String = "") async throws -> RealProgram.Outcome {
            try await RealProgram.run(arguments: ["schema"] + arguments + options, input: input)
        }
    }

    private static let text = """
        DEFINE SCHEMA

            RECORD TYPE Note (
                title STRING QUERYABLE,
                GRANT READ TO "_world"
            );

        """

    @Test("A text is checked without any data: every line that is wrong is named, and the status is 1")
    func validate() async throws {
        let sound = try await RealProgram.run("schema", "validate", "-", input: Self.text)
        #expect(sound.status == 0)
        #expect(sound.output == "standard input is sound: 1 record type, 1 field, 0 roles.\n")
        let wrong = "DEFINE SCHEMA\nRECORD TYPE A (x ASSET SORTABLE,\n GRANT READ TO b);\n"
        let outcome = try await RealProgram.run("schema", "validate", "-", input: wrong)
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("standard input:2:16: The field x of A is ASSET") == true)
        #expect(lines.last?.hasPrefix("standard input:3:2: A grants to the role b") == true)

        struct Report: Decodable {
            struct Problem: Decodable { var line: Int?, column: Int?, message: String }
            var file: String, isValid: Bool, problems: [Problem]
        }
        let json = try await RealProgram.run("schema", "validate", "--json", "-", input: "DEFINE")
        let report = try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
        #expect(json.status == 1)
        #expect(!report.isValid && report.problems.first?.line == 1 && report.problems.first?.column == 7)
        let missing = try await RealProgram.run("schema", "validate", "/nowhere/a.ckdb")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("/nowhere/a.ckdb") && missing.errors.contains("spelling"))
    }

    @Test("A text is imported, compared, promoted and exported again as it was")
    func wholeWay() async throws {
        let data = try await ServerData()
        let file = data.place.appending(path: "a.ckdb").path
        #expect(try await data.schema("diff", "-", input: Self.text).status == 3)
        let imported = try await data.schema("import", "-", input: Self.text)
        #expect(imported.status == 0)
        #expect(
            imported.output == """
                + record type Note
                + field title of Note: STRING
                + title of Note is QUERYABLE
                + _world may READ Note
                standard input → development: 4 changes made.

                """)
        #expect(
            try await data.schema("diff", "-", input: Self.text).output == "development → standard input: no change.\n")
        let difference = try await data.schema("diff", "--json")
        #expect(difference.status == 3)
        struct Report: Decodable {
            struct Change: Decodable { var change: String, recordType: String?, field: String?, type: String? }
            var container: String?, from: String, to: String, changes: [Change]
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(difference.output.utf8))
        #expect(report.container == RealWorld.container && report.from == "production" && report.to == "development")
        #expect(report.changes.map(\.change) == ["addRecordType", "addField", "addIndex", "addGrant"])
        #expect(report.changes[1].field == "title" && report.changes[1].type == "STRING")

        #expect(try await data.schema("promote").output.hasSuffix("development → production: 4 changes made.\n"))
        #expect(try await data.schema("diff").status == 0)
        #expect(try await data.schema("promote").output == "development → production: no change.\n")
        #expect(try await data.schema("export", "--environment", "production", "-o", file).status == 0)
        let exported = try await data.schema("export").output
        #expect(exported.hasPrefix(Self.text))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == exported)
        #expect(try await data.schema("import", file).output == "\(file) → development: no change.\n")
        #expect(try await RealProgram.run("schema", "diff", file, "-", input: exported).status == 0)
    }

    @Test("What cannot be imported is told with its reasons, ends with 1, and changes nothing")
    func refused() async throws {
        let data = try await ServerData()
        #expect(try await data.schema("import", "-", input: Self.text).status == 0)
        #expect(try await data.schema("promote").status == 0)
        let before = try await data.schema("export").output
        let other = "DEFINE SCHEMA RECORD TYPE Note (title INT64);"
        for command in ["import", "validate"] {
            let outcome = try await data.schema(command, "-", input: other)
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("The field title of Note is STRING in production"), "\(outcome.errors)")
        }
        let broken = try await data.schema("import", "-", input: "DEFINE SCHEMA RECORD")
        #expect(broken.status == 1)
        #expect(broken.errors.contains("standard input:1:21: TYPE is expected"))
        #expect(try await data.schema("export").output == before)
    }

    @Test("A role of the schema is given to a user, named and taken away; one that it lacks is refused")
    func roles() async throws {
        let data = try await ServerData()
        let text = "DEFINE SCHEMA CREATE ROLE editor; RECORD TYPE Note (GRANT READ, WRITE TO editor);"
        #expect(try await data.schema("import", "-", input: text).status == 0)
        func role(_ arguments: String...) async throws -> RealProgram.Outcome {
            try await RealProgram.run(arguments: ["serve", "user", "role"] + arguments + data.options)
        }
        let given = try await role("ada", "editor")
        #expect(given.status == 0 && given.output == "ada has the role editor.\n")
        #expect(try await role("ada").output == "editor\n")
        let unknown = try await role("ada", "author")
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("has no role 'author'"), "\(unknown.errors)")
        let nobody = try await role("eve", "editor")
        #expect(nobody.status == 1 && nobody.errors.contains("has no user 'eve'"))
        #expect(try await role("ada", "editor", "--remove").status == 0)
        #expect(try await role("ada").output == "")
        #expect(try await role("ada", "--remove").status == 2)
    }

    @Test("Data that is not there is not made, and the way out is named", arguments: ["export", "diff", "promote"])
    func noData(command: String) async throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "zf-none-\(UUID().uuidString)").path
        let outcome = try await RealProgram.run("schema", command, "--data", place)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(place) && outcome.errors.contains("zonefolder serve user add"))
        #expect(!FileManager.default.fileExists(atPath: place))
    }

    @Test("What the program needs is printed as a text that is sound, with the person's types (S1.21)")
    func template() async throws {
        let outcome = try await RealProgram.run("schema", "template", "Note", "--file-type", "Attachment")
        #expect(outcome.status == 0)
        for part in ["RECORD TYPE Attachment (", "content       ASSET", "RECORD TYPE Note (", "zonefolder    STRING"] {
            #expect(outcome.output.contains(part))
        }
        #expect(try await RealProgram.run("schema", "validate", "-", input: outcome.output).status == 0)
        #expect(try await RealProgram.run("schema", "template", "No te").status == 2)
    }

    @Test("A server that makes no schema by saving refuses what is not declared, until it is imported (§8.3)")
    func noSchemaBySaving() async throws {
        let world = try await RealWorld("--no-schema-by-saving")
        let folder = try await world.addFolder("laptop")
        try folder.write("text", to: "a.txt")
        try folder.write(#"{"title": "t"}"#, to: "Note/a.json")
        #expect(try await RealProgram.run("sync", folder.path).status == 4)
        let held = try await folder.report().held
        #expect(Set(held.map(\.path)) == ["a.txt", "Note/a.json"])
        #expect(held.allSatisfy { $0.code == "schemaMissing" && $0.remedy.contains("zonefolder schema import FILE") })

        let template = try await RealProgram.run("schema", "template", "Note").output
        let text = template.replacing("zonefolder    STRING", with: "zonefolder    STRING, title STRING")
        let imported = try await RealProgram.run(
            "schema", "import", "-", "--data", world.place.appending(path: "server").path, "--container",
            RealWorld.container, input: text)
        #expect(imported.status == 0, "\(imported.errors)")
        #expect(try await RealProgram.run("sync", folder.path).status == 0)
        #expect(try await folder.report().held.isEmpty)
    }

    @Test("One command makes an index; said again it changes nothing, and what cannot be is refused with what can")
    func index() async throws {
        let data = try await ServerData()
        #expect(try await data.schema("import", "-", input: Self.text).status == 0)
        let made = try await data.schema("index", "Note", "title", "--kind", "sortable")
        #expect(made.status == 0)
        #expect(made.output == "+ title of Note is SORTABLE\nNote.title → development: 1 change made.\n")
        let again = try await data.schema("index", "Note", "title", "--kind", "sortable")
        #expect(again.output == "Note.title → development: no change; it is sortable.\n")
        #expect(try await data.schema("export").output.contains("QUERYABLE SORTABLE"))
        let refused = try await data.schema("index", "Note", "none")
        #expect(refused.status == 1 && refused.errors.contains("Note has no field none. It has: title."))
        #expect(try await data.schema("index", "Note", "title", "--kind", "odd").status == 2)
        let missing = try await RealProgram.run("schema", "index", "Note", "title", "--data", "/nowhere")
        #expect(missing.status == 1 && missing.errors.contains("holds no server's data"))
    }
}
