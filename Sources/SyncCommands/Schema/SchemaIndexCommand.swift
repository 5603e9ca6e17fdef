import ArgumentParser
import CloudKitSchema
import CloudKitServer

struct SchemaIndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Add an index to a field, so that queries can ask for it.",
        discussion: """
            A queryable field can be compared with a value, a sortable one sorted by and compared with a range, a \
            searchable one searched for words. Fields that come by saving have every index that makes sense; record types \
            have none on their records' names, which a query needs that asks for all of them:

                zonefolder schema index Note recordName --data DIR

            The index is made in development, also while the server runs, and is there at once. Production gets it by \
            `zonefolder schema promote`.
            """)

    @Argument(help: "The record type.")
    var type: String

    @Argument(help: "The field; also a system field, such as recordName or modifiedTimestamp.")
    var field: String

    @Option(help: "What queries are to do with the field: queryable, sortable or searchable.")
    var kind = IndexKind.queryable

    @OptionGroup var place: ServerContainer

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func run() async throws {
        do {
            let changes = try WebServicesServer.addIndex(
                kind.index, to: field, of: type, in: place.container, dataDirectory: place.directory)
            let report = SchemaChangeReport(
                container: place.container, from: "\(type).\(field)", to: "development", changes: changes)
            StandardOutput.print(
                json
                    ? try JSONText.pretty(report)
                    : report.text(changes.isEmpty ? "no change; it is \(kind.rawValue)." : "\(report.count) made."))
        } catch let error as SchemaError {
            throw CommandFailure.refused(error, name: place.container)
        }
    }
}

/// What queries can do with a field, as options and refusals spell it.
enum IndexKind: String, Hashable, CaseIterable, ExpressibleByArgument {
    case queryable, sortable, searchable

    var index: Schema.Indexes {
        switch self {
        case .queryable: .queryable
        case .sortable: .sortable
        case .searchable: .searchable
        }
    }
}
