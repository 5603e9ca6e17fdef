import ArgumentParser
import CloudKitClient
import CloudKitWire

struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Read, save and delete single records.",
        discussion: """
            Asks the database itself, not the folder: what is saved here comes into the folder as any other device's \
            change does. Of a folder's database the daemon makes the request, where one runs.
            """,
        subcommands: [RecordGetCommand.self, RecordPutCommand.self, RecordDeleteCommand.self])
}

/// The zone of a record.
struct ZoneOptions: ParsableArguments {
    @Option(help: "The record's zone. Where left out: the folder's zone, or else the default zone.")
    var zone: String?

    @Option(help: ArgumentHelp("The zone's owner, in the shared database.", valueName: "user-record-name"))
    var owner: String?
}

struct RecordGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Print records by name.")

    @Argument(help: "The records' names.")
    var names: [String]

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var options: DatabaseOptions

    @Flag(help: "Print the protocol's JSON instead of text.")
    var json = false

    func run() async throws {
        try await options.ask { try await run($0) }
    }

    private func run(_ console: DatabaseConsole) async throws {
        let request = RecordsLookupRequest(recordNames: names, zoneID: console.zone(zone.zone, owner: zone.owner))
        let response: RecordsResponse = try await console.call(.recordsLookup, request)
        if json {
            StandardOutput.print(response.prettyJSON)
        } else {
            for record in response.records.successes() { RecordText.lines(of: record).forEach(StandardOutput.print) }
        }
        try ItemFailures.check(response.records)
    }
}

struct RecordPutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Save a record.",
        discussion: """
            A field is NAME=VALUE or NAME:TYPE=VALUE, with the types of CloudKit such as INT64, TIMESTAMP or \
            STRING_LIST. Without a type, what is JSON is that, all else is a string, and the schema decides. Fields that \
            are not named stay as they are.

                zonefolder record put Note/a --type Note title='One' rank=3 due:TIMESTAMP=1790000000000
            """)

    @Argument(help: "The record's name.")
    var name: String

    @Option(help: "The record's type.")
    var type: String

    @Argument(help: ArgumentHelp("The fields to save.", valueName: "name[:type]=value"))
    var fields: [FieldArgument] = []

    @Option(help: ArgumentHelp("A field to remove; may be given several times.", valueName: "name"))
    var remove: [String] = []

    @Flag(help: "Remove every field that is not named.")
    var replace = false

    @Flag(help: "Refuse where there is such a record.")
    var create = false

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var options: DatabaseOptions

    @Flag(help: "Print the protocol's JSON instead of text.")
    var json = false

    func validate() throws {
        guard !replace || !create else { throw ValidationError("--replace and --create exclude each other.") }
    }

    func run() async throws {
        var record = Record(recordName: name, recordType: type)
        for name in remove { record.fields[name] = Field(nil) }
        for field in fields { record.fields[field.name] = Field(field.value) }
        let kind = create ? RecordOperation.Kind.create : replace ? .forceReplace : .forceUpdate
        try await RecordText.modify(RecordOperation(kind, record), zone, options, json: json)
    }
}

struct RecordDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a record, whatever its fields are by now.")

    @Argument(help: "The record's name.")
    var name: String

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var options: DatabaseOptions

    @Flag(help: "Print the protocol's JSON instead of text.")
    var json = false

    func run() async throws {
        try await RecordText.modify(RecordOperation(.forceDelete, Record(recordName: name)), zone, options, json: json)
    }
}

/// A record for people: its name and type, then a line for each field.
enum RecordText {
    static func lines(of record: Record) -> [String] {
        let type = record.recordType.map { " (\($0))" } ?? ""
        let fields = record.fields.sorted { $0.key < $1.key }
        return [Table.oneLine("\(record.recordName ?? "")\(type)")]
            + fields.map { name, field in "    \(name): \(Table.oneLine(field.value?.plainText ?? ""))" }
    }

    static func modify(
        _ operation: RecordOperation, _ zone: ZoneOptions, _ options: DatabaseOptions, json: Bool
    ) async throws {
        try await options.ask { console in
            let request = RecordsModifyRequest(
                operations: [operation], zoneID: console.zone(zone.zone, owner: zone.owner), atomic: false)
            try tell(try await console.call(.recordsModify, request), json: json)
        }
    }

    private static func tell(_ response: RecordsResponse, json: Bool) throws {
        if json {
            StandardOutput.print(response.prettyJSON)
        } else {
            for record in response.records.successes() {
                let deed = record.deleted == true ? "Deleted" : "Saved"
                StandardOutput.print("\(deed) \(record.recordName ?? "").")
            }
        }
        try ItemFailures.check(response.records)
    }
}

extension Array {
    /// The results without the failures.
    func successes<Item>() -> [Item] where Element == ItemResult<Item> {
        compactMap { if case .success(let item) = $0 { item } else { nil } }
    }
}

/// What a batch's answer says of single items.
enum ItemFailures {
    /// Prints each failure, and ends the command with status 1 where there is one.
    static func check<Item>(_ results: [ItemResult<Item>]) throws {
        var failed = false
        for case .failure(let error) in results {
            failed = true
            let item = error.recordName ?? error.zoneID?.zoneName ?? error.subscriptionID
            let name = item.map { "\($0): " } ?? ""
            let reason = error.reason.map { ": \($0)" } ?? ""
            StandardError.print("zonefolder: \(Table.oneLine("\(name)\(error.serverErrorCode)\(reason)"))")
        }
        if failed { throw ExitStatus.error }
    }
}
