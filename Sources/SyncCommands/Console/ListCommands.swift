import ArgumentParser
import CloudKitClient
import CloudKitWire

struct ZonesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zones", abstract: "List the record zones of a database.")

    @OptionGroup var options: DatabaseOptions

    @Flag(help: "Print the protocol's JSON instead of a table.")
    var json = false

    func run() async throws {
        let response: ZonesResponse = try await options.console().call(.zonesList, noBody)
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
        let response: SubscriptionsResponse = try await options.console().call(.subscriptionsList, noBody)
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
