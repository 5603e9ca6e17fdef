import ArgumentParser
import CloudKitServer
import FolderSettings
import StateStorage

struct ServeUserRoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role",
        abstract: "Give a user a role of the container's schema, or name the roles of one.",
        discussion: """
            A schema makes a role with `CREATE ROLE` and says with `GRANT … TO` what it may do with records of the public \
            database. The role counts from the user's next request on. Without a role, the user's are named, one in a line.
            """)

    @Argument(help: ArgumentHelp("The user's name.", valueName: "name"))
    var name: String

    @Argument(help: ArgumentHelp("The role's name.", valueName: "role"))
    var role: String?

    @Flag(help: "Take the role away.")
    var remove = false

    @OptionGroup var place: ServedContainer

    func validate() throws {
        guard role != nil || !remove else { throw ValidationError("Name the role that is to be taken away.") }
    }

    func run() async throws {
        let directory = try place.directory
        let environment = place.environment.rawValue
        guard let role else {
            let roles = try WebServicesServer.roles(
                ofUser: name, container: place.container, environment: environment, in: directory)
            guard let roles else { throw CommandFailure.nobody(name, in: place.container) }
            for role in roles { StandardOutput.print(role) }
            return
        }
        let isKnown = try WebServicesServer.setRole(
            role, isGiven: !remove, toUser: name, container: place.container, environment: environment, in: directory)
        guard isKnown else { throw CommandFailure.nobody(name, in: place.container) }
        StandardOutput.print(remove ? "\(name) no longer has the role \(role)." : "\(name) has the role \(role).")
    }
}
