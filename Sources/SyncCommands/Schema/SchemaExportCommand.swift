import ArgumentParser
import CloudKitSchema
import FolderSettings
import StateStorage
import SystemPackage

struct SchemaExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print a container's schema as .ckdb text.",
        discussion: """
            What is printed can be imported here, in the CloudKit console, and with `cktool import-schema`. System fields \
            are named only where they have an index.
            """)

    @OptionGroup var place: ServerContainer

    @Option(help: "The container's environment: development or production.")
    var environment = FolderConfiguration.Environment.development

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write to a file instead; an old one is replaced.", valueName: "file"),
        completion: .file(extensions: ["ckdb"]))
    var output: String?

    func run() async throws {
        let schema = try place.schema(in: environment)
        if schema.recordTypes.allSatisfy({ $0.name == "Users" }) {
            StandardError.print(
                "\(place.container) has no record types of its own in \(environment.rawValue). See to the spelling, or "
                    + "save something first.")
        }
        try SchemaOutput.write(schema.text, to: output)
    }
}

/// Where texts of schemas go.
enum SchemaOutput {
    /// Writes a text that ends with a newline to a file, or to standard output.
    static func write(_ text: String, to place: String?) throws {
        guard let place else { return StandardOutput.print(String(text.dropLast())) }
        let path = try AbsolutePath.of(place)
        do {
            try PlainFiles.replace(path, with: Array(text.utf8))
        } catch let error as Errno {
            throw CommandFailure.system(error, "write", path)
        }
    }
}
