import ArgumentParser
import CloudKitServer
import FolderSettings
import StateStorage

struct ServeUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Manage the server's users.",
        subcommands: [
            ServeUserAddCommand.self, ServeUserPasswordCommand.self, ServeUserRoleCommand.self,
            ServeUserListCommand.self, ServeUserSignOutCommand.self, ServeUserRemoveCommand.self,
        ])
}

struct ServeUserAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a user, or a further sign-in of one, and print the tokens.",
        discussion: """
            Prints an API token and a web auth token. They are shown this once: the server keeps only what it needs to \
            recognise them. Every device needs a sign-in of its own: run this once for each, or give the user a password \
            and sign in there with `zonefolder login`.
            """)

    @Argument(help: ArgumentHelp("The user's name.", valueName: "name"))
    var name: String

    @OptionGroup var place: ServedContainer
    @OptionGroup var password: PasswordOptions

    @Option(
        help: ArgumentHelp(
            "Where a sign-in with the API token ends; the default is where `zonefolder login` waits.",
            valueName: "url"))
    var callback = LoginCallback.defaultURL

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func validate() throws {
        try UserName.check(name)
    }

    func run() async throws {
        let directory = try place.newOrKnownDirectory
        let password = try password.read()
        let user = try WebServicesServer.addUser(
            name: name, container: place.container, environment: place.environment.rawValue, password: password,
            options: APITokenOptions(callback: callback), in: directory)
        let line = UserLine(
            name: name, container: place.container, environment: place.environment.rawValue,
            userRecordName: user.userRecordName, apiToken: user.apiToken, webAuthToken: user.webAuthToken)
        StandardOutput.print(json ? try JSONText.pretty(line) : line.text)
    }
}

struct ServeUserPasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Give a user a password for the sign-in page.",
        discussion: "The sign-ins that there are stay good.")

    @Argument(help: ArgumentHelp("The user's name.", valueName: "name"))
    var name: String

    @OptionGroup var place: ServedContainer
    @OptionGroup var password: PasswordOptions

    func run() async throws {
        let directory = try place.directory
        let password = try password.read() ?? PasswordPrompt.askTwice()
        guard
            try WebServicesServer.setPassword(password, ofUser: name, container: place.container, in: directory)
        else { throw CommandFailure.nobody(name, in: place.container) }
        StandardOutput.print("\(name) has a new password.")
    }
}

struct ServeUserListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List users, of all containers or of one.",
        discussion: """
            Prints each user's name and container; with --container the names alone, one in a line. Who is invited and has \
            not come yet stands below, with the zone and the time until which the invitation is good; with --container and \
            no --json, on standard error.

              zonefolder serve user list
            """)

    @OptionGroup var place: ServedContainers

    @Flag(help: "Print one JSON array instead of text, with what there is of each user.")
    var json = false

    func run() async throws {
        let directory = try place.directory
        let list = UserList(
            people: try WebServicesServer.people(container: place.container, in: directory),
            invitations: try WebServicesServer.openInvitations(container: place.container, in: directory))
        if json { return StandardOutput.print(try JSONText.pretty(list.entries)) }
        let isOfAll = place.container == nil
        for line in list.users(withContainer: isOfAll) { StandardOutput.print(line) }
        for line in list.invited {
            // Names alone are what a script reads, and this is the name of no user.
            if isOfAll { StandardOutput.print(line) } else { StandardError.print(line) }
        }
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
