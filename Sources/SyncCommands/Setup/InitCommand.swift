public import ArgumentParser
import CloudKitClient
public import StateStorage
import SyncEngine
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a folder the home of a record zone.",
        discussion: """
            Checks every value, asks the server who is signed in, and writes .zonefolder into the folder. No file of \
            the folder is read or changed, and nothing is sent: that begins with `zonefolder start`. How many files and \
            bytes will go is said before. A whole home or a directory of the system is only taken with --yes.

            A folder that holds files and a zone that holds records are brought together: what is equal is recognised \
            as equal, what is on one side goes to the other, and of what differs both versions are kept.

            With --database shared the zone is one that somebody else shares with the account: it is never made, and \
            --owner names whose it is where several people share a zone of that name.
            """)

    @Argument(
        help: ArgumentHelp("The folder; made where it does not exist.", valueName: "folder"), completion: .directory)
    var path = "."

    @Option(
        help: ArgumentHelp(
            "Where the database is: Apple's server, or one of your own (zonefolder serve).", valueName: "url"))
    var server = "https://api.apple-cloudkit.com"

    @Option(help: "The app's container, such as iCloud.com.example.notes.")
    var container: String

    @Option(help: "The record zone; made where it does not exist, but in the shared database.")
    var zone: String

    @Option(help: "The database: private, or shared for a zone of somebody else's.")
    var database = DatabaseAddress.Scope.private

    @Option(
        help: ArgumentHelp("With --database shared: the zone's owner, by user record name.", valueName: "user"))
    var owner: String?

    @Option(help: "The container's environment: development or production.")
    var environment = FolderConfiguration.Environment.development

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

    func validate() throws {
        guard owner == nil || database == .shared else {
            throw ValidationError("--owner goes with --database shared: zones of the private database are your own.")
        }
    }

    func run() async throws {
        guard database != .public else { throw CommandFailure.publicDatabase }
        let folder = try AbsolutePath.of(path)
        if !yes { try UnlikelyFolder.current.check(folder) }
        var configuration = FolderConfiguration(container: container, zone: zone, device: device ?? HostName.current)
        configuration.server = server
        configuration.environment = environment
        try connection.apply(to: &configuration)
        guard let apiToken = tokens.givenAPIToken else { throw CommandFailure.noAPIToken }
        try NewFolder.check(folder)
        let webAuthToken =
            signIn ? try await browser.signIn(configuration, apiToken: apiToken) : try tokens.readWebAuthToken()
        var account = try await AccountCheck.ask(
            configuration, Credentials(apiToken: apiToken, webAuthToken: webAuthToken))
        if database == .shared {
            let zones = try await SharedZones.list(configuration, &account.credentials)
            configuration.database = .shared
            configuration.owner = try SharedZones.owner(of: zone, named: owner, among: zones)
            try configuration.checkAsGiven()
        }
        try NewFolder.make(folder)
        try FolderSetup.initialize(folder: folder, configuration: configuration, credentials: account.credentials)
        let whose = configuration.owner.map { " of \($0)" } ?? ""
        StandardOutput.print(
            "\(folder) is the zone '\(zone)'\(whose) of \(container) (\(environment.rawValue)) now.")
        let word = ShellWord.quoted(folder.string)
        let measure = try FirstUpload.measure(of: StateDirectory.open(in: folder))
        StandardError.print(
            """
            Signed in as \(account.userRecordName).
            \(FirstUploadText.text(measure, configuration))

            Next:
              zonefolder start \(word)     sync it from now on
              zonefolder status \(word)    see how it stands
            """)
    }
}

extension FolderConfiguration.Environment: ExpressibleByArgument {}

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

/// What a folder must be before it is set up.
enum NewFolder {
    /// - Throws: ``CommandFailure`` where it is set up already, or lies in a folder that is.
    static func check(_ folder: FilePath) throws {
        guard let outer = StateDirectory.folder(holding: folder) else {
            if let inner = innerFolder(of: folder) { throw CommandFailure.nested(inner, in: folder, isInner: true) }
            return
        }
        guard outer == folder else { throw CommandFailure.nested(folder, in: outer) }
        // A state directory without a configuration is what an `init` left that did not get to its end.
        let state = try StateDirectory.open(in: folder)
        guard access(state.configurationFile.string, F_OK) != 0 else { throw CommandFailure.alreadySetUp(folder) }
    }

    /// A synced folder at any depth below, not looked for through symlinks; `nil` where there is none to be seen.
    private static func innerFolder(of folder: FilePath) -> FilePath? {
        var open = [folder]
        while let directory = open.popLast() {
            if PlainFiles.exists(directory.appending(".zonefolder/config.toml")) { return directory }
            open += PlainFiles.directories(in: directory)
        }
        return nil
    }

    static func make(_ folder: FilePath) throws {
        guard mkdir(folder.string, 0o777) != 0 else { return }
        let error = Errno(rawValue: errno)
        guard error == .fileExists else { throw CommandFailure.system(error, "make", folder) }
        guard let directory = opendir(folder.string) else { throw CommandFailure.notAFolder(folder) }
        closedir(directory)
    }
}

/// The machine's name, as far as it can stand in a file name.
enum HostName {
    static var current: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "this-device" }
        let text = withUnsafeBytes(of: &name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let isFine = { (byte: UInt8) in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        let first = String(
            decoding: text.utf8.prefix { $0 != UInt8(ascii: ".") }.filter(isFine).prefix(63), as: UTF8.self)
        return first.isEmpty ? "this-device" : first
    }
}
