import ArgumentParser
import CloudKitClient
import CloudKitWire
import FolderControl
import SyncService

struct AcceptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Take part in what somebody shares.",
        discussion: """
            The short GUID is what `zonefolder share` printed for its owner. Afterwards the zone is in your shared \
            database, and a folder can be made of it.

                zonefolder accept 0q2mJ… --container iCloud.com.example.notes --server http://127.0.0.1:8080 …
            """)

    @Argument(help: "The short GUID.")
    var shortGUID: String

    @Flag(help: "Only say what it is, and take no part yet.")
    var look = false

    @OptionGroup var options: DatabaseOptions

    @Flag(help: "Print the protocol's JSON instead of text.")
    var json = false

    func run() async throws {
        var options = options
        // Shares are found in the public database, whatever they share.
        options.database = .public
        let request = SharesRequest(shortGUIDs: [ShortGUID(shortGUID)])
        let operation: CloudKitOperation = look ? .recordsResolve : .recordsAccept
        try await options.ask { console in try tell(try await console.call(operation, request)) }
    }

    private func tell(_ response: SharesResponse) throws {
        guard !json else {
            StandardOutput.print(response.prettyJSON)
            return try ItemFailures.check(response.results)
        }
        for share in response.results.successes() { try show(share) }
        try ItemFailures.check(response.results)
    }

    private func show(_ share: ShareMetadata) throws {
        let what = share.rootRecordName.map { "'\($0)' and what is below it, in the zone" } ?? "the zone"
        let whose = share.participantType == .owner ? "yourself" : ShareText.owner(of: share)
        StandardOutput.print(Table.oneLine("\(what) '\(share.zoneID.zoneName)', shared by \(whose)"))
        guard share.participantType != .owner else { return }
        StandardOutput.print("    you: \(ShareText.words(of: share.participantPermission))")
        guard share.participantStatus == .accepted, let ownerRecordName = share.zoneID.ownerRecordName else { return }
        let zone = ShellWord.quoted(share.zoneID.zoneName)
        StandardError.print(
            """

            To make a folder of it, with the container's API token and this account:
              zonefolder init FOLDER --database shared --zone \(zone) --owner \(ShellWord.quoted(ownerRecordName)) \
            --container \(ShellWord.quoted(share.containerIdentifier))\(try options.initOptions()) --api-token TOKEN
            """)
    }
}
