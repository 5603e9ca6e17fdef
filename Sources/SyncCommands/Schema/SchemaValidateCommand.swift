import ArgumentParser
import CloudKitSchema
import CloudKitServer
import SystemPackage

struct SchemaValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check a .ckdb text, and tell every line that is wrong.",
        discussion: """
            With --data it is checked as well whether the text could be imported there. Nothing is changed. The exit \
            status is 1 where something is wrong.
            """)

    @Argument(
        help: ArgumentHelp("The .ckdb text; - is standard input.", valueName: "file"),
        completion: .file(extensions: ["ckdb"]))
    var file: String

    @Option(help: ArgumentHelp("A server's data to check against.", valueName: "dir"), completion: .directory)
    var data: String?

    @Option(help: "The container, with --data.")
    var container = "iCloud.zonefolder"

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func run() async throws {
        let file = try SchemaFile(file)
        var problems = file.problems
        if problems.isEmpty, let data {
            problems = try Self.objections(to: file.schema, ServerContainer.of(data, container))
        }
        if json {
            StandardOutput.print(try JSONText.pretty(ValidationReport(file: file.name, problems: problems)))
        } else if problems.isEmpty {
            let schema = try file.schema
            let fields = schema.recordTypes.reduce(0) { $0 + $1.fields.count }
            StandardOutput.print(
                "\(file.name) is sound: \(Self.spoken(schema.recordTypes.count, "record type")), "
                    + "\(Self.spoken(fields, "field")), \(Self.spoken(schema.roles.count, "role")).")
        } else {
            for problem in problems { StandardError.print(problem.line(in: file.name)) }
        }
        if !problems.isEmpty { throw ExitStatus.error }
    }

    private static func objections(to schema: Schema, _ place: ServerContainer) throws -> [SchemaProblem] {
        do {
            try WebServicesServer.importSchema(
                schema, into: place.container, isTrial: true, dataDirectory: place.directory)
            return []
        } catch let error as SchemaError {
            return error.problems
        }
    }

    private static func spoken(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }
}

/// What is wrong with a schema; `schema validate --json`.
private struct ValidationReport: Encodable {
    var file: String
    var isValid: Bool
    var problems: [Line]

    struct Line: Encodable {
        var line: Int?
        var column: Int?
        var message: String
    }

    init(file: String, problems: [SchemaProblem]) {
        self.file = file
        isValid = problems.isEmpty
        self.problems = problems.map {
            Line(line: $0.position?.line, column: $0.position?.column, message: $0.message)
        }
    }
}
