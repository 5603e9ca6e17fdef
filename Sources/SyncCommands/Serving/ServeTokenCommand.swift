import ArgumentParser
import CloudKitServer
import FolderSettings
import StateStorage

struct ServeTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Manage API tokens.",
        subcommands: [ServeTokenAddCommand.self, ServeTokenListCommand.self, ServeTokenRevokeCommand.self])
}

struct ServeTokenAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Make an API token for a program or a web page, and print it.",
        discussion: """
            The token is shown this once. Alone it opens what the public database shows to everybody; with a sign-in it \
            opens that person's databases.
            """)

    @OptionGroup var place: ServedContainer

    @Option(
        name: .customLong("origin"),
        help: ArgumentHelp(
            "A web page's origin, such as https://example.org, whose requests are taken; can be given several times. Where "
                + "none is given, all are.", valueName: "origin"))
    var origins: [String] = []

    @Option(
        help: ArgumentHelp(
            "Where a sign-in ends, with the web auth token in its query: an https URL, or one on 127.0.0.1. Where left "
                + "out, the sign-in page posts the token to the page that opened it, or shows it.", valueName: "url"))
    var callback: String?

    func validate() throws {
        for origin in origins where WebOrigin(origin)?.text != origin.lowercased() {
            throw ValidationError(
                "'\(origin)' is no origin: scheme, host and perhaps a port, such as https://example.org.")
        }
    }

    func run() async throws {
        StandardOutput.print(
            try WebServicesServer.addAPIToken(
                container: place.container, environment: place.environment.rawValue,
                options: APITokenOptions(callback: callback, origins: origins.compactMap { WebOrigin($0) }),
                in: place.newOrKnownDirectory))
    }
}
