public import ArgumentParser
import CloudKitClient
import CloudKitWire
public import FolderSettings
import StateStorage
import SyncService
import SystemPackage

struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a folder the home of a record zone.",
        discussion: """
            With the link that `zonefolder serve invite` prints, that is all:

              zonefolder init ~/Notes 'LINK' --start

            The link brings the server, the container, the zone and a sign-in; - reads it from standard input. It is good \
            once, and spent only where the folder can be set up.

            Without a link, checks every value and asks the server who is signed in. \
            Either way .zonefolder is written into the folder, no file of it is read or changed, and nothing is sent: that \
            begins with `zonefolder start`, or at once with --start. How many files and bytes will go is said before. A \
            whole home or a directory of the system is only taken with --yes.

            A folder that holds files and a zone that holds records are brought together: what is equal is recognised \
            as equal, what is on one side goes to the other, and of what differs both versions are kept.

            With --database shared the zone is one that somebody else shares with the account: it is never made, and \
            --owner names whose it is where several people share a zone of that name.

            A web auth token serves one request. Where nothing is set up after all, --web-auth-token-file gets the next \
            one, so that a second try goes on with it; once the folder is set up, the folder alone has it.
            """)

    @Argument(
        help: ArgumentHelp("The folder; made where it does not exist.", valueName: "folder"), completion: .directory)
    var path = "."

    @Argument(help: ArgumentHelp("An invitation, or - for one on standard input.", valueName: "link"))
    var link: String?

    @Flag(help: "Sync it from now on, in the background, as `zonefolder start` does.")
    var start = false

    @Option(
        help: ArgumentHelp(
            "Where the database is: Apple's server, or one of your own (default: \(Self.apple)).", valueName: "url"))
    var server: String?

    @Option(help: "The app's container, such as iCloud.com.example.notes.")
    var container: String?

    @Option(help: "The record zone; made where it does not exist, but in the shared database.")
    var zone: String?

    @Option(help: "The database: private, or shared for a zone of somebody else's.")
    var database = DatabaseAddress.Scope.private

    @Option(
        help: ArgumentHelp("With --database shared: the zone's owner, by user record name.", valueName: "user"))
    var owner: String?

    @Option(help: "The container's environment: development or production (default: development).")
    var environment: FolderConfiguration.Environment?

    @Option(
        help: ArgumentHelp("This device in the names of conflict copies (default: the host's name).", valueName: "name")
    )
    var device: String?

    @Flag(help: "Take a whole home, or a directory of the system, all the same.")
    var yes = false

    @Flag(help: "Sign in through the browser, as `zonefolder login` does.")
    var signIn = false

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var tokens: TokenOptions
    @OptionGroup var browser: BrowserOptions

    static let apple = "https://api.apple-cloudkit.com"

    func validate() throws {
        guard owner == nil || database == .shared else {
            throw ValidationError("--owner goes with --database shared: zones of the private database are your own.")
        }
        guard link == nil else {
            let others = [
                ("--server", server != nil), ("--container", container != nil), ("--environment", environment != nil),
                ("--database", database != .private), ("--api-token", tokens.apiToken != nil),
                ("--web-auth-token-file", tokens.webAuthTokenFile != nil), ("--sign-in", signIn),
            ]
            guard let (name, _) = others.first(where: \.1) else { return }
            throw ValidationError("\(name) goes without a link: the link says it.")
        }
        // Both are told of in their own words, whatever else is missing.
        guard !InvitationLink.looksLikeOne(path), try !NewFolder.isSetUp(AbsolutePath.of(path)) else { return }
        for (name, value) in [("--container", container), ("--zone", zone)] where value == nil {
            throw ValidationError(
                "Missing expected argument '\(name)'. Give it, or a link: `zonefolder serve invite` prints one.")
        }
    }

    func run() async throws {
        guard database != .public else { throw CommandFailure.publicDatabase }
        guard !InvitationLink.looksLikeOne(path) else { throw CommandFailure.linkWithoutFolder }
        let folder = try AbsolutePath.of(path)
        guard !NewFolder.isSetUp(folder) else { throw CommandFailure.alreadySetUp(folder) }
        if !yes { try UnlikelyFolder.current.check(folder) }
        if let link {
            try await accept(InvitationRedemption.link(link), for: folder)
        } else {
            try await initialize(folder, container: container ?? "", zone: zone ?? "")
        }
    }

    /// Sets a folder up with what an invitation brings.
    private func accept(_ link: InvitationLink, for folder: FilePath) async throws {
        var configuration = FolderConfiguration(
            container: ServerContainer.standard, zone: zone ?? InvitationChoice.firstZone,
            device: device ?? HostName.current)
        configuration.server = link.server
        try connection.apply(to: &configuration)
        let (account, complete) = try await PreparedFolder(folder).setUp {
            let account = try await InvitationRedemption.redeem(link, configuration)
            var complete = configuration
            complete.container = account.container
            complete.zone = zone ?? account.zone
            do {
                complete.environment = try FolderConfiguration.Environment(invited: account)
                try complete.checkAsGiven()
                try FolderSetup.initialize(
                    folder: folder, configuration: complete,
                    credentials: Credentials(apiToken: account.apiToken, webAuthToken: account.webAuthToken))
            } catch {
                throw CommandFailure.failedAfterRedemption(error)
            }
            return (account, complete)
        }
        try await finish(folder, complete, account: "\(account.userName) (\(account.userRecordName))")
    }

    /// Sets a folder up with what the options say.
    private func initialize(_ folder: FilePath, container: String, zone: String) async throws {
        var configuration = FolderConfiguration(container: container, zone: zone, device: device ?? HostName.current)
        configuration.server = server ?? Self.apple
        configuration.environment = environment ?? .development
        try connection.apply(to: &configuration)
        guard let apiToken = tokens.givenAPIToken else { throw CommandFailure.noAPIToken }
        try PreparedFolder.probe(folder)
        let webAuthToken =
            signIn ? try await browser.signIn(configuration, apiToken: apiToken) : try tokens.readWebAuthToken()
        var credentials = Credentials(apiToken: apiToken, webAuthToken: webAuthToken)
        let user: String
        let complete: FolderConfiguration
        do {
            (user, complete) = try await setUp(folder, configuration, &credentials)
        } catch {
            if !signIn { tokens.keep(credentials.webAuthToken, insteadOf: webAuthToken) }
            throw error
        }
        do {
            try await AccountCheck.claim(StateDirectory.open(in: folder), configuration)
        } catch {
            // The folder is set up, and the daemon makes up for it.
            StandardError.print("\(error)")
        }
        try await finish(folder, complete, account: user)
    }

    /// - Parameter credentials: Get the newest web auth token, also where the folder is not set up.
    /// - Returns: The user record name, and the configuration with what the server told.
    private func setUp(
        _ folder: FilePath, _ configuration: FolderConfiguration, _ credentials: inout Credentials
    ) async throws -> (user: String, complete: FolderConfiguration) {
        let prepared = try PreparedFolder(folder)
        do {
            let user = try await AccountCheck.ask(configuration, &credentials)
            var complete = configuration
            if database == .shared {
                let zones = try await SharedZones.list(configuration, &credentials)
                complete.database = .shared
                complete.owner = try SharedZones.owner(of: configuration.zone, named: owner, among: zones)
                try complete.checkAsGiven()
            }
            try FolderSetup.initialize(folder: folder, configuration: complete, credentials: credentials)
            return (user, complete)
        } catch {
            prepared.removeTraces()
            throw error
        }
    }

    private func finish(_ folder: FilePath, _ configuration: FolderConfiguration, account: String) async throws {
        let directory = try StateDirectory.open(in: folder)
        KnownFolders.note([folder])
        StandardOutput.print(SetUpText.result(directory, configuration))
        StandardError.print(try SetUpText.account(account, directory, configuration))
        if start {
            try await BackgroundDaemon(for: [directory]).start {
                StandardOutput.print($1.text(of: $0))
            }
            try await ProgressLine.showUntilSettled([folder])
        }
        StandardError.print(SetUpText.next(directory, isStarted: start))
    }
}

extension FolderConfiguration.Environment: ExpressibleByArgument {}

extension FolderConfiguration.Environment {
    /// What an invitation's answer names.
    init(invited account: InvitedAccount) throws(CommandFailure) {
        guard let environment = Self(rawValue: account.environment) else {
            throw CommandFailure(
                status: .error,
                message: "The server names the environment '\(account.environment)', which this version does not know.")
        }
        self = environment
    }
}

extension FolderConfiguration {
    /// Checks values that came as arguments: there is no file yet in which they would be wrong.
    func checkAsGiven() throws {
        do throws(StateError) {
            try check()
            _ = try privateAuthority
        } catch {
            guard error.code == .configuration else { throw error }
            throw CommandFailure(
                status: .configuration, message: error.message.replacing("config.toml: ", with: "The value of "))
        }
    }
}
