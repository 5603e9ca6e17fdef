import ArgumentParser
import CloudKitServer
import StateStorage
import SyncEngine
import SystemPackage

struct ServeUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Manage the server's users.", subcommands: [ServeUserAddCommand.self])
}

struct ServeUserAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a user, or a further sign-in of one, and print the tokens.",
        discussion: """
            Prints an API token and a web auth token. They are shown this once: the server keeps only what it needs to \
            recognise them. Every device needs a sign-in of its own, so run this once for each.
            """)

    @Argument(help: ArgumentHelp("The user's name.", valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("The server's data.", valueName: "dir"), completion: .directory)
    var data: String

    @Option(help: "The container that the tokens open.")
    var container = "iCloud.zonefolder"

    @Option(help: "The container's environment: development or production.")
    var environment = FolderConfiguration.Environment.development

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func validate() throws {
        guard !name.allSatisfy(\.isWhitespace) else { throw ValidationError("A user needs a name.") }
    }

    func run() async throws {
        try FolderConfiguration(container: container, zone: "Zone", device: "device").checkAsGiven()
        let directory = try AbsolutePath.of(data)
        if !PlainFiles.exists(directory) {
            StandardError.print(
                "\(directory) is new. Serve it with: zonefolder serve --data \(ShellWord.quoted(directory.string))")
        }
        let user = try WebServicesServer.addUser(
            name: name, container: container, environment: environment.rawValue, in: directory)
        let line = UserLine(
            name: name, container: container, environment: environment.rawValue, userRecordName: user.userRecordName,
            apiToken: user.apiToken, webAuthToken: user.webAuthToken)
        StandardOutput.print(json ? try JSONText.pretty(line) : line.text)
    }
}

/// A new user as `user add` shows it; its JSON form is `user add --json`.
struct UserLine: Codable {
    var name: String
    var container: String
    var environment: String
    var userRecordName: String
    var apiToken: String
    var webAuthToken: String

    var text: String {
        """
        user            \(name) (\(userRecordName))
        container       \(container) (\(environment))
        API token       \(apiToken)
        web auth token  \(webAuthToken)
        """
    }
}
