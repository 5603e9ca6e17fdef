public import ArgumentParser
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
            the folder is read or changed, and nothing is sent: that begins with `zonefolder start`.

            A folder that holds files and a zone that holds records are brought together: what is equal is recognised \
            as equal, what is on one side goes to the other, and of what differs both versions are kept.
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

    @Option(help: "The record zone; made where it does not exist.")
    var zone: String

    @Option(help: "The container's environment: development or production.")
    var environment = FolderConfiguration.Environment.development

    @Option(
        help: ArgumentHelp("This device in the names of conflict copies (default: the host's name).", valueName: "name")
    )
    var device: String?

    @OptionGroup var tokens: TokenOptions

    func run() async throws {
        let folder = try AbsolutePath.of(path)
        var configuration = FolderConfiguration(container: container, zone: zone, device: device ?? HostName.current)
        configuration.server = server
        configuration.environment = environment
        try configuration.check()
        guard let apiToken = tokens.givenAPIToken else { throw CommandFailure.noAPIToken }
        try NewFolder.check(folder)
        let account = try await AccountCheck.ask(
            configuration, Credentials(apiToken: apiToken, webAuthToken: try tokens.readWebAuthToken()))
        try NewFolder.make(folder)
        try FolderSetup.initialize(folder: folder, configuration: configuration, credentials: account.credentials)
        StandardOutput.print("\(folder) is the zone '\(zone)' of \(container) (\(environment.rawValue)) now.")
        StandardError.print(
            """
            Signed in as \(account.userRecordName).

            Next:
              zonefolder start \(folder)     sync it from now on
              zonefolder status \(folder)    see how it stands
            """)
    }
}

extension FolderConfiguration.Environment: ExpressibleByArgument {}

/// What a folder must be before it is set up.
enum NewFolder {
    /// - Throws: ``CommandFailure`` where it is set up already, or lies in a folder that is.
    static func check(_ folder: FilePath) throws {
        guard let outer = StateDirectory.folder(holding: folder) else { return }
        guard outer == folder else { throw CommandFailure.nested(folder, in: outer) }
        // A state directory without a configuration is what an `init` left that did not get to its end.
        let state = try StateDirectory.open(in: folder)
        guard access(state.configurationFile.string, F_OK) != 0 else { throw CommandFailure.alreadySetUp(folder) }
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
