import ArgumentParser

struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "See to the record types and fields of a container: read, write, check, compare and deploy them.",
        discussion: """
            Schemas are texts in CloudKit's own language (.ckdb), as its console and cktool export and import them. The \
            commands with --data work on the data of `zonefolder serve`, also while it runs.

            For Apple's service: `zonefolder schema template` prints what zonefolder itself needs there. Record types of \
            your own come by syncing a folder with a server of your own, and `zonefolder schema export`.
            """,
        subcommands: [
            SchemaExportCommand.self, SchemaImportCommand.self, SchemaIndexCommand.self, SchemaValidateCommand.self,
            SchemaDiffCommand.self, SchemaPromoteCommand.self, SchemaTemplateCommand.self,
        ])
}
