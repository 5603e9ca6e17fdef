import ArgumentParser
import CloudKitClient
import CloudKitQueries
import CloudKitWire

struct ZonesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zones", abstract: "List the record zones of a database.")

    @OptionGroup var options: DatabaseOptions

    @Flag(help: "Print the protocol's JSON instead of a table.")
    var json = false

    func run() async throws {
        try await options.ask { console in try tell(try await console.call(.zonesList, noBody)) }
    }

    private func tell(_ response: ZonesResponse) throws {
        if json {
            StandardOutput.print(response.prettyJSON)
            return try ItemFailures.check(response.zones)
        }
        var table = Table(["zone", "owner", "type"])
        for case .success(let zone) in response.zones {
            table.add([zone.zoneID.zoneName, zone.zoneID.ownerRecordName ?? "", zone.zoneID.zoneType ?? ""])
        }
        table.lines(forTerminal: StandardOutput.isTerminal).forEach(StandardOutput.print)
        try ItemFailures.check(response.zones)
    }
}

struct SubscriptionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscriptions", abstract: "List the subscriptions of a database.")

    @OptionGroup var options: DatabaseOptions

    @Flag(help: "Print the protocol's JSON instead of a table.")
    var json = false

    func run() async throws {
        try await options.ask { console in try tell(try await console.call(.subscriptionsList, noBody)) }
    }

    private func tell(_ response: SubscriptionsResponse) throws {
        if json {
            StandardOutput.print(response.prettyJSON)
            return try ItemFailures.check(response.subscriptions)
        }
        var table = Table(["subscription", "type", "zone", "fires on"])
        for case .success(let subscription) in response.subscriptions {
            table.add([
                subscription.subscriptionID ?? "", subscription.subscriptionType, subscription.zoneID?.zoneName ?? "",
                subscription.firesOn?.joined(separator: " ") ?? "",
            ])
        }
        table.lines(forTerminal: StandardOutput.isTerminal).forEach(StandardOutput.print)
        try ItemFailures.check(response.subscriptions)
    }
}
