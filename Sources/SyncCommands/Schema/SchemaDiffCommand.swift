import ArgumentParser
import CloudKitSchema
import CloudKitServer
import FolderSettings
import StateStorage

struct SchemaDiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what promoting, or importing a text, would change.",
        discussion: """
            Without a file: what `zonefolder schema promote` would change in production. With one: what its import would \
            change in development. With two: what turns the first into the second, and no data is needed.

            The exit status is 0 where nothing would change, and 3 where something would.
            """)

    @Argument(
        help: ArgumentHelp("One .ckdb text or two; - is standard input.", valueName: "file"),
        completion: .file(extensions: ["ckdb"]))
    var files: [String] = []

    @Option(help: ArgumentHelp("The server's data.", valueName: "dir"), completion: .directory)
    var data: String?

    @Option(help: "The container.")
    var container = "iCloud.zonefolder"

    @Option(help: "With a file: the environment that it is compared with.")
    var environment = FolderConfiguration.Environment.development

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func validate() throws {
        guard files.count <= 2 else { throw ValidationError("At most two texts can be compared.") }
        guard files.count == 2 || data != nil else {
            throw ValidationError("Name the server's data with --data, or two texts.")
        }
    }

    func run() async throws {
        let report = try report()
        StandardOutput.print(
            json ? try JSONText.pretty(report) : report.text(report.changes.isEmpty ? "no change." : "\(report.count).")
        )
        if !report.changes.isEmpty { throw ExitStatus.pending }
    }

    private func report() throws -> SchemaChangeReport {
        let given = try files.map(SchemaFile.init)
        if given.count == 2 {
            return SchemaChangeReport(
                from: given[0].name, to: given[1].name, changes: try given[0].schema.changes(to: given[1].schema))
        }
        let place = try ServerContainer.of(data ?? "", container)
        guard let file = given.first else {
            do {
                return SchemaChangeReport(
                    container: container, from: "production", to: "development",
                    changes: try WebServicesServer.promoteSchema(
                        of: container, isTrial: true, dataDirectory: place.directory))
            } catch let error as SchemaError {
                throw CommandFailure.refused(error, name: container)
            }
        }
        let present = try place.schema(in: environment)
        return SchemaChangeReport(
            container: container, from: environment.rawValue, to: file.name,
            changes: present.changes(to: try file.schema.keepingUsers(of: present)))
    }
}
