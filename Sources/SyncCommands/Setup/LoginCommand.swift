import ArgumentParser
import StateStorage

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in again, with new tokens.",
        discussion: """
            Asks the server who the new tokens belong to, and stores them. The folder's data belongs to the account \
            that it was first synced with: another one stops the syncing until the first signs in again. A daemon that \
            runs must be stopped before and started afterwards.
            """)

    @OptionGroup var folder: FolderArgument
    @OptionGroup var tokens: TokenOptions

    func run() async throws {
        let directory = try folder.stateDirectory
        let lock = try FolderLock(of: directory)
        let configuration = try FolderConfiguration(of: directory)
        let webAuthToken = try tokens.readWebAuthToken()
        let apiToken = try tokens.givenAPIToken ?? CredentialsFile(of: directory).credentials.apiToken
        let account = try await AccountCheck.ask(
            configuration, Credentials(apiToken: apiToken, webAuthToken: webAuthToken))
        try CredentialsFile.create(account.credentials, in: directory)
        withExtendedLifetime(lock) {}
        StandardOutput.print("Signed in as \(account.userRecordName).")
    }
}
