import ArgumentParser
import CloudKitClient
import CloudKitWire
import FolderControl
import FolderSettings
import StateRows
import StateStorage
import SyncService
import SystemPackage

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in through the browser, or with a web auth token.",
        discussion: """
            Asks the server for its sign-in page, prints its URL, and opens it where there is a desktop. The sign-in ends at \
            this machine, if the API token's callback is http://127.0.0.1:7437/ (see --port); else paste the URL at \
            which the browser ended, or the token that the page shows.

            A daemon that runs goes on with the new sign-in at once. The folder's data belongs to the account that it was \
            first synced with: a sign-in of another one is refused. A token of --web-auth-token-file that served for nothing is \
            followed in its file by the one that the server gave.

            Who came by an invitation to a server of your own has no password there. Another one signs in as well: \
            `zonefolder serve invite USER` on the server, and `zonefolder login FOLDER --invitation LINK` here.
            """)

    @OptionGroup var folder: FolderArgument
    @OptionGroup var tokens: TokenOptions
    @OptionGroup var browser: BrowserOptions

    @Option(
        help: ArgumentHelp(
            "Sign in with the link of an invitation, which is good once; - reads it from standard input.",
            valueName: "link"))
    var invitation: String?

    func validate() throws {
        if invitation != nil, tokens.apiToken != nil || tokens.webAuthTokenFile != nil {
            throw ValidationError("--invitation brings both tokens. Leave --api-token and --web-auth-token-file out.")
        }
    }

    func run() async throws {
        let directory = try folder.stateDirectory
        let configuration = try FolderConfiguration(of: directory)
        var credentials = try await credentials(configuration, directory)
        let given = credentials.webAuthToken
        do {
            let user = try await AccountCheck.ask(configuration, &credentials)
            try await FolderCredentials.hand(AccountChange(credentials, of: user), to: directory)
            StandardOutput.print("Signed in as \(user).")
        } catch  where invitation != nil {
            throw CommandFailure.failedAfterRedemption(error)
        } catch {
            tokens.keep(credentials.webAuthToken, insteadOf: given)
            throw error
        }
    }

    private func credentials(
        _ configuration: FolderConfiguration, _ directory: StateDirectory
    ) async throws -> Credentials {
        if let invitation { return try await invited(by: InvitationRedemption.link(invitation), configuration) }
        let apiToken = try tokens.givenAPIToken ?? CredentialsFile(of: directory).credentials.apiToken
        let webAuthToken = try await tokens.webAuthToken {
            try await browser.signIn(configuration, apiToken: apiToken)
        }
        return Credentials(apiToken: apiToken, webAuthToken: webAuthToken)
    }

    private func invited(
        by link: InvitationLink, _ configuration: FolderConfiguration
    ) async throws -> Credentials {
        guard link.server == configuration.server else {
            throw CommandFailure.invitationElsewhere(link.server, folder: configuration.server)
        }
        let account = try await InvitationRedemption.redeem(link, configuration)
        guard account.container == configuration.container,
            account.environment == configuration.environment.rawValue
        else {
            throw CommandFailure.invitationToAnother(
                "\(account.container) (\(account.environment))",
                folder: "\(configuration.container) (\(configuration.environment.rawValue))")
        }
        return Credentials(apiToken: account.apiToken, webAuthToken: account.webAuthToken)
    }
}

/// Brings credentials to where they are used from: to the daemon, or to the file where none runs.
enum FolderCredentials {
    static func hand(_ change: AccountChange, to directory: StateDirectory) async throws {
        let client = try ControlClient(for: directory)
        do throws(ControlError) {
            return try await client.change(change)
        } catch {
            guard error.code == .notRunning else { throw error }
        }
        // A daemon that starts at this moment reads the file only once it has the lock.
        try directory.prepare()
        let lock = try FolderLock(of: directory)
        if let user = change.userRecordName { try check(user, in: directory) }
        try CredentialsFile.create(change.credentials, in: directory)
        withExtendedLifetime(lock) {}
    }

    private static func check(_ user: String, in directory: StateDirectory) throws {
        let facts = try StateStore.look(at: directory) { try $0.facts() }
        // Of another server, nobody is known yet.
        let server = try FolderConfiguration(of: directory).server
        guard facts.origin.map({ $0.server == server }) ?? true else { return }
        guard let own = facts.account, !own.utf8.elementsEqual(user.utf8) else { return }
        throw CommandFailure.otherAccount(user, own: own)
    }
}
