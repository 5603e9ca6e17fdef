import ArgumentParser
import CloudKitServer

struct ServeTokenListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List API tokens, of all containers or of one.",
        discussion: """
            The server keeps no token, only what it knows it by. The first column is the ID that `revoke` takes; after the \
            time at which it was made come for whom and by what, and when it was last used, to within an hour:

              zonefolder serve token list
              zonefolder serve token revoke 3f0c9ab21d77

            Whose a token is that an earlier version made was not written down, and is unknown.
            """)

    @OptionGroup var place: ServedContainers

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    func run() async throws {
        let tokens = try WebServicesServer.apiTokens(container: place.container, in: place.directory)
            .map(APITokenLine.init)
        if json { return StandardOutput.print(try JSONText.pretty(tokens)) }
        for line in TextColumns.lines(tokens.map(\.columns)) { StandardOutput.print(line) }
    }
}

struct ServeTokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "End an API token for good.",
        discussion: """
            Whatever uses it, folders among them, is refused from its next request on, until it is given another one; \
            nothing is lost meanwhile. A running server follows at once.

              zonefolder serve token revoke 3f0c9ab21d77
            """)

    @Argument(help: ArgumentHelp("The ID, as `zonefolder serve token list` shows it.", valueName: "id"))
    var id: String

    @OptionGroup var place: ServedContainers

    func validate() throws { try RevocationChoice.check(id) }

    func run() async throws {
        let directory = try place.directory
        let tokens = try WebServicesServer.apiTokens(container: place.container, in: directory)
        let one = try RevocationChoice.one(of: tokens.map(\.id), named: id, "API token", "serve token list")
        guard let token = tokens.first(where: { $0.id == one }),
            try WebServicesServer.revokeAPIToken(id: one, in: directory)
        else { throw CommandFailure.noneOfThatID(id, "API token", "serve token list") }
        StandardOutput.print(
            "The API token \(APITokenLine(token).id) of \(token.container) (\(token.environment)) is revoked.")
    }
}

/// An API token as `serve token list` shows it; its JSON form is `serve token list --json`.
struct APITokenLine: Encodable {
    /// The beginning of the token's SHA-256.
    var id: String
    var container: String
    var environment: String
    var createdAtMilliseconds: Int64
    /// 'user add', 'invitation' or 'token add'; not there where an earlier version made it.
    var madeBy: String?
    /// For whom; not there for one of 'token add', or of an earlier version.
    var userName: String?
    /// To within an hour; not there where no request is known to have come with it.
    var usedAtMilliseconds: Int64?
    var callback: String?
    var origins: [String]

    init(_ token: APITokenSummary) {
        id = RevocationChoice.shown(token.id)
        container = token.container
        environment = token.environment
        createdAtMilliseconds = token.createdAt
        madeBy = token.maker?.rawValue
        userName = token.userName
        usedAtMilliseconds = token.usedAt
        callback = token.callback
        origins = token.origins
    }

    var columns: [String] {
        [
            id, container, environment, WallClock.text(createdAtMilliseconds), whose, use,
            (origins.isEmpty ? [callback].compactMap(\.self) : origins).joined(separator: " "),
        ]
    }

    private var whose: String {
        guard let madeBy else { return "unknown" }
        return (userName.map { "\($0) " } ?? "") + "(\(madeBy))"
    }

    private var use: String {
        if let usedAtMilliseconds { return "used \(WallClock.text(usedAtMilliseconds))" }
        return madeBy == nil ? "use unknown" : "never used"
    }
}
