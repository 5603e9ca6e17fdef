import ArgumentParser
import CloudKitSchema
import CloudKitServer

struct SchemaImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make a .ckdb text the schema of a container's development.",
        discussion: """
            The text is the whole schema: what it omits is deleted from development. What production has cannot be \
            omitted or given another type, and types and fields that records use stay until these are deleted. Either \
            all of it is taken or, with a sentence for each reason, nothing. See before with `zonefolder schema diff`.

            Into production a schema comes by `zonefolder schema promote` only.
            """)

    @Argument(
        help: ArgumentHelp("The .ckdb text; - is standard input.", valueName: "file"),
        completion: .file(extensions: ["ckdb"]))
    var file: String

    @OptionGroup var place: ServerContainer

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func run() async throws {
        let file = try SchemaFile(file)
        do {
            let changes = try WebServicesServer.importSchema(
                file.schema, into: place.container, dataDirectory: place.directory)
            let report = SchemaChangeReport(
                container: place.container, from: file.name, to: "development", changes: changes)
            StandardOutput.print(
                json
                    ? try JSONText.pretty(report)
                    : report.text(changes.isEmpty ? "no change." : "\(report.count) made."))
        } catch let error as SchemaError {
            throw CommandFailure.refused(error, name: file.name)
        }
    }
}
