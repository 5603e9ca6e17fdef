import ArgumentParser
import CloudKitClient
import CloudKitQueries
import CloudKitWire

struct QueryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Find records of one type.",
        discussion: """
            A filter is FIELD COMPARATOR VALUE, with = != < <= > >= or one of CloudKit's comparators such as IN, \
            BEGINS_WITH, LIST_CONTAINS or CONTAINS_ALL_TOKENS in any case, or the protocol's JSON. FIELD may be \
            FIELD:TYPE, and a system field such as recordName or modifiedTimestamp:TIMESTAMP.

                zonefolder query Note --filter 'rank > 3' --filter 'title begins-with On' --sort -rank

            The container's schema must have an index for every field that is named, and one on recordName where none is. \
            On a server of your own `zonefolder schema index` makes it.
            """)

    @Argument(help: "The record type.")
    var type: String

    @Option(help: ArgumentHelp("A condition; all of them must hold.", valueName: "filter"))
    var filter: [FilterArgument] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A field to sort by, -FIELD for the largest first.", valueName: "field"))
    var sort: [SortArgument] = []

    @Option(help: "The most records to print; all of them where left out.")
    var limit: Int?

    @Option(help: ArgumentHelp("The fields to print; all where left out.", valueName: "name"))
    var field: [String] = []

    @Flag(help: "Ask all zones of the database.")
    var allZones = false

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var options: DatabaseOptions

    @Flag(help: "Print the protocol's JSON instead of a table.")
    var json = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }

    func run() async throws {
        try await options.ask { try await run($0) }
    }

    private func run(_ console: DatabaseConsole) async throws {
        var request = RecordsQueryRequest(
            query: Query(recordType: type, filters: filter.map(\.filter), sorts: sort.map(\.sort)),
            zoneID: allZones ? nil : console.zone(zone.zone, owner: zone.owner))
        request.zoneWide = allZones ? true : nil
        request.desiredKeys = field.isEmpty ? nil : field
        let records = try await allPages(of: request, console)
        if json {
            StandardOutput.print(RecordsQueryResponse(records: records).prettyJSON)
        } else {
            for line in Table(records.successes()).lines(forTerminal: StandardOutput.isTerminal) {
                StandardOutput.print(line)
            }
        }
        try ItemFailures.check(records)
    }

    /// A page may be empty although more are to come, but a marker that stands still leads nowhere (protocol §3.3).
    private func allPages(
        of first: RecordsQueryRequest, _ console: DatabaseConsole
    ) async throws -> [ItemResult<Record>] {
        var request = first
        var records: [ItemResult<Record>] = []
        while true {
            request.resultsLimit = limit.map { min($0 - records.count, 200) }
            let page: RecordsQueryResponse
            do {
                page = try await console.call(.recordsQuery, request)
            } catch {
                guard let missing = MissingIndex(in: "\(error)", recordType: type) else { throw error }
                throw CommandFailure.noIndex("\(error)", missing.command(in: console.container))
            }
            records += page.records
            guard let marker = page.continuationMarker, records.count < limit ?? .max else { return records }
            guard marker != request.continuationMarker else {
                throw CommandFailure.standingMarker
            }
            request.continuationMarker = marker
        }
    }
}

extension CommandFailure {
    /// - Parameters:
    ///   - message: The server's words, which name the field and the index.
    ///   - command: Makes the index.
    static func noIndex(_ message: String, _ command: String) -> Self {
        Self(
            status: .error,
            message:
                "\(Sentence.ended(message)) On a server of your own, make the index with `\(command)`, and for production "
                + "promote it with `zonefolder schema promote`; elsewhere add it in the CloudKit console.")
    }

    static let standingMarker = Self(
        status: .error,
        message:
            "The server gives the same page again and again. Ask for fewer records: narrow the query with --filter.")
}
