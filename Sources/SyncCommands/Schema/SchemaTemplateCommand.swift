import ArgumentParser
import CloudKitSchema
import RecordMapping

struct SchemaTemplateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "template",
        abstract: "Print the .ckdb text of what zonefolder itself needs in a container.",
        discussion: """
            That is the record type of plain files, and on each record type of yours the reserved field \
            '\(RecordHints.fieldName)', which keeps what JSON can say and CloudKit cannot. Name your types, add their own \
            fields to the text, and import it: in the CloudKit console, with `cktool import-schema`, or with `zonefolder \
            schema import`. An import deletes what the text omits, so into a schema that has types already, copy the \
            lines instead.
            """)

    @Argument(help: ArgumentHelp("Record types of yours, such as Note.", valueName: "type"))
    var types: [String] = []

    @Option(help: ArgumentHelp("The record type of plain files.", valueName: "type"))
    var fileType = "File"

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write to a file instead; an old one is replaced.", valueName: "file"),
        completion: .file(extensions: ["ckdb"]))
    var output: String?

    func run() async throws {
        let schema = Schema.ofMapping(fileType: fileType, structuredTypes: types)
        do {
            try schema.check()
        } catch {
            throw ValidationError(error.message)
        }
        try SchemaOutput.write(schema.text, to: output)
    }
}
