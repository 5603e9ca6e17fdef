import ArgumentParser
import CloudKitSchema
import CloudKitServer

struct SchemaPromoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Deploy a container's schema from development to production.",
        discussion: """
            In production only what was promoted can be saved. It gains record types, fields and roles and never loses \
            any; indexes and grants become those of development. See before with `zonefolder schema diff`. What was held \
            for lack of a type or field goes through by itself afterwards.
            """)

    @OptionGroup var place: ServerContainer

    @Option(
        help: ArgumentHelp("A field that production is not to have; can be given several times.", valueName: "field"))
    var without: [String] = []

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func run() async throws {
        do {
            let changes = try WebServicesServer.promoteSchema(
                of: place.container, leavingOut: Set(without), dataDirectory: place.directory)
            let report = SchemaChangeReport(
                container: place.container, from: "development", to: "production", changes: changes)
            StandardOutput.print(
                json
                    ? try JSONText.pretty(report)
                    : report.text(changes.isEmpty ? "no change." : "\(report.count) made."))
        } catch let error as SchemaError {
            throw CommandFailure.refused(error, name: place.container)
        }
    }
}
