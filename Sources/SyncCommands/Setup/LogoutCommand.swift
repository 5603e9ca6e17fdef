import ArgumentParser
import FolderControl
import FolderSettings
import StateStorage
import SyncService

struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Forget the sign-in; keep every file and all that waits to be sent.",
        discussion: """
            A daemon that runs goes on watching the folder and sends nothing until `zonefolder login`. The API token stays: \
            it stands for the program, not for a person.
            """)

    @OptionGroup var folder: FolderArgument

    func run() async throws {
        let directory = try folder.stateDirectory
        let apiToken = try CredentialsFile(of: directory).credentials.apiToken
        try await FolderCredentials.hand(AccountChange(Credentials(apiToken: apiToken), of: nil), to: directory)
        StandardOutput.print("Signed out of \(directory.folder). Its files and what waits to be sent stay as they are.")
    }
}
