import ArgumentParser
import CloudKitServer

struct ServeKeyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List server-to-server keys, of all containers or of one.",
        discussion: """
            The first column is the key's ID, which is no secret: requests carry it, and `revoke` takes it.

              zonefolder serve key list
            """)

    @OptionGroup var place: ServedContainers

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    func run() async throws {
        let keys = try WebServicesServer.serverKeys(container: place.container, in: place.directory)
            .map(ServerKeyLine.init)
        if json { return StandardOutput.print(try JSONText.pretty(keys)) }
        for line in TextColumns.lines(keys.map(\.columns)) { StandardOutput.print(line) }
    }
}

struct ServeKeyRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "End a server-to-server key for good.",
        discussion: """
            What is signed with it is refused from the next request on; what it wrote stays. A running server follows at \
            once.

              zonefolder serve key revoke 3f0c9ab21d77
            """)

    @Argument(help: ArgumentHelp("The key's ID, or its beginning.", valueName: "id"))
    var id: String

    @OptionGroup var place: ServedContainers

    func validate() throws { try RevocationChoice.check(id) }

    func run() async throws {
        let directory = try place.directory
        let keys = try WebServicesServer.serverKeys(container: place.container, in: directory)
        let one = try RevocationChoice.one(of: keys.map(\.id), named: id, "key", "serve key list")
        guard let key = keys.first(where: { $0.id == one }),
            try WebServicesServer.revokeServerKey(id: one, in: directory)
        else { throw CommandFailure.noneOfThatID(id, "key", "serve key list") }
        StandardOutput.print(
            "The key \(RevocationChoice.shown(one)) of \(key.container) (\(key.environment)) is revoked.")
    }
}

/// A server-to-server key as `serve key list` shows it; its JSON form is `serve key list --json`.
struct ServerKeyLine: Encodable {
    var keyID: String
    var container: String
    var environment: String
    var createdAtMilliseconds: Int64
    var userRecordName: String

    init(_ key: ServerKeySummary) {
        keyID = key.id
        container = key.container
        environment = key.environment
        createdAtMilliseconds = key.createdAt
        userRecordName = key.userRecordName
    }

    var columns: [String] {
        [
            RevocationChoice.shown(keyID), container, environment, WallClock.text(createdAtMilliseconds),
            userRecordName,
        ]
    }
}
