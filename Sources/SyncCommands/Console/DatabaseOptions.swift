public import ArgumentParser
public import CloudKitClient
import CloudKitWire
import FolderControl
import FolderSettings
import LosslessJSON
import StateStorage
import SyncService

/// Which database a console command asks: one of a synced folder's container, or one that is named in full.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A synced folder whose container and credentials are used. Where left out: the one that holds the working "
                + "directory.", valueName: "folder"),
        completion: .directory)
    var folder: String?

    @Option(help: "The database: private, public or shared. Where left out: the folder's, or else the private one.")
    var database: DatabaseAddress.Scope?

    @Option(help: "Instead of a folder: the app's container, such as iCloud.com.example.notes.")
    var container: String?

    @Option(help: ArgumentHelp("With --container: where the database is (default: Apple's service).", valueName: "url"))
    var server: String?

    @Option(help: "With --container: development (the default) or production.")
    var environment: DatabaseAddress.Environment?

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var tokens: TokenOptions

    @Option(help: ArgumentHelp("With --container and --database public: a server-to-server key's ID.", valueName: "id"))
    var keyID: String?

    @Option(
        help: ArgumentHelp("The file with that key's private half, as PEM text.", valueName: "file"),
        completion: .file())
    var keyFile: String?

    func validate() throws {
        guard folder == nil || container == nil else {
            throw ValidationError("--folder and --container exclude each other.")
        }
        let given = [
            ("--server", server != nil), ("--environment", environment != nil), ("--api-token", tokens.apiToken != nil),
            ("--web-auth-token-file", tokens.webAuthTokenFile != nil), ("--tls-ca", connection.authorityFile != nil),
            ("--plain-http", connection.allowsPlainHTTP),
        ]
        if container == nil, let option = given.first(where: \.1)?.0 {
            throw ValidationError("\(option) goes with --container; without it the folder's own is used.")
        }
        guard (keyID == nil) == (keyFile == nil) else { throw ValidationError("--key-id and --key-file go together.") }
        guard keyID == nil || container != nil && database == .public else {
            throw ValidationError(
                "A server-to-server key opens the public database only: add --container and --database public.")
        }
    }

    /// Where requests go. To be closed.
    func console() throws -> DatabaseConsole {
        guard let container else {
            let argument = try FolderArgument.of(folder)
            let directory = try argument.stateDirectory
            let configuration = try FolderConfiguration(of: directory)
            let own = configuration.databaseAddress.scope
            return DatabaseConsole(
                container: configuration.container, scope: database ?? own,
                caller: .folder(DatabaseAccess(to: directory, logger: ProgramLog.silent), directory),
                folderZone: database ?? own == own
                    ? ZoneID(zoneName: configuration.zone, ownerRecordName: configuration.owner) : nil)
        }
        let database = database ?? .private
        let authority = try authority(of: container)
        let address = DatabaseAddress(
            container: container, environment: environment ?? .development, scope: database,
            baseURL: server ?? DatabaseAddress.appleBaseURL)
        if let keyID, let keyFile {
            let key = try ServerKeySession(
                keyID: keyID, privateKeyPEM: String(decoding: try PlainFiles.readNamed(keyFile), as: UTF8.self))
            let transport = HTTPTransport()
            let asked = CloudKitDatabase(
                address, serverKey: key, transport: transport.trusting(authority), logger: ProgramLog.silent)
            return DatabaseConsole(
                container: container, scope: database, caller: .serverKey(asked, transport), folderZone: nil)
        }
        guard let apiToken = tokens.givenAPIToken else { throw CommandFailure.noAPIToken }
        let file = try TokenFile(tokens.webAuthTokenFile)
        let session = WebAuthSession(apiToken: apiToken, store: file)
        let transport = HTTPTransport()
        let asked = CloudKitDatabase(
            address, session: session, transport: transport.trusting(authority), logger: ProgramLog.silent)
        return DatabaseConsole(
            container: container, scope: database, caller: .session(asked, transport, session, file), folderZone: nil)
    }

    /// The options by which `init` finds the same database, but for the scope and the tokens.
    func initOptions() throws -> String {
        var configuration = FolderConfiguration(container: container ?? "", zone: "Zone", device: "device")
        if container == nil {
            configuration = try FolderConfiguration(of: FolderArgument.of(folder).stateDirectory)
        } else {
            configuration.server = server ?? configuration.server
            try connection.apply(to: &configuration)
        }
        let environment = environment?.rawValue ?? configuration.environment.rawValue
        var words: [String] = []
        if configuration.server != DatabaseAddress.appleBaseURL {
            words += ["--server", ShellWord.quoted(configuration.server)]
        }
        if environment != "development" { words += ["--environment", environment] }
        if let file = configuration.authorityFile { words += ["--tls-ca", ShellWord.quoted(file)] }
        if configuration.allowsPlainHTTP { words.append("--plain-http") }
        return words.map { " " + $0 }.joined()
    }

    /// Who vouches for the server that was named, once it may be spoken to.
    private func authority(of container: String) throws -> PrivateAuthority? {
        var configuration = FolderConfiguration(container: container, zone: "Zone", device: "device")
        configuration.server = server ?? configuration.server
        try connection.apply(to: &configuration)
        return try configuration.privateAuthority
    }
}

extension DatabaseAddress.Scope: ExpressibleByArgument {}
extension DatabaseAddress.Environment: ExpressibleByArgument {}
