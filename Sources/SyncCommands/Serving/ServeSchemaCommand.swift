import ArgumentParser
import CloudKitSchema
import CloudKitServer

struct ServeSchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Manage the server's schemas.", subcommands: [ServeSchemaPromoteCommand.self])
}

struct ServeSchemaPromoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Take a container's record types and fields over from development into production.",
        discussion: """
            In development they come into being by saving; in production only what was promoted can be saved. What \
            production has it keeps. The server may run meanwhile.
            """)

    @Option(help: ArgumentHelp("The server's data.", valueName: "dir"), completion: .directory)
    var data: String

    @Option(help: "The container.")
    var container = "iCloud.zonefolder"

    @Option(
        help: ArgumentHelp("A field that production is not to have; can be given several times.", valueName: "field"))
    var without: [String] = []

    func run() async throws {
        let changes = try WebServicesServer.promoteSchema(
            of: container, leavingOut: Set(without), dataDirectory: try AbsolutePath.of(data))
        let gained = changes.count { if case .addField = $0 { true } else { false } }
        StandardOutput.print("\(container): production gained \(gained) \(gained == 1 ? "field" : "fields").")
    }
}
