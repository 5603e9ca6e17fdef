import ArgumentParser
import CloudKitServer
import FolderSettings
import Logging
import ServiceLifecycle
import StateStorage
import SystemPackage
import UnixSignals

#if canImport(Glibc)
    import Glibc
#endif

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Be a CloudKit Web Services server, with no Apple account at all.",
        discussion: """
            `zonefolder serve` serves until SIGTERM or SIGINT, and prints its URL once it does. `zonefolder serve invite` \
            prints a link with which `zonefolder init` sets up a folder. `serve user add NAME` adds a user by hand, `serve \
            token add` an API token and `serve key add` a server-to-server key; `serve backup DIRECTORY` copies all of the \
            server's data, and `serve check` reads all of it, or of a backup, and names what is lost. All of it also while \
            the server runs. `zonefolder schema` sees to record types and fields: in development they come by saving, in \
            production by `zonefolder schema promote`.

            What the server answers with success is on its disk. On this machine it can be asked without TLS; for \
            others give it a certificate with --tls-certificate and --tls-key, or put a reverse proxy that adds TLS \
            before it. Renewed files are shown to the next connection, without a restart; SIGHUP reads them at once.
            """,
        subcommands: [
            ServeRunCommand.self, ServeInviteCommand.self, ServeUserCommand.self, ServeTokenCommand.self,
            ServeKeyCommand.self, ServeBackupCommand.self, ServeCheckCommand.self,
        ],
        defaultSubcommand: ServeRunCommand.self)
}

struct ServeRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Serve until told to stop (default).",
        discussion: "Prints the server's URL on standard output once it listens. The log goes to standard error.")

    @OptionGroup var data: ServerDataPlace

    @Option(help: ArgumentHelp("The address to listen on; port 0 takes a free one.", valueName: "host:port"))
    var listen = ListenAddress.standard

    @Option(
        help: ArgumentHelp(
            "Speak TLS with the certificate in this file, in PEM, and those after it that lead to its authority.",
            valueName: "file"),
        completion: .file())
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The file with the certificate's private key, in PEM.", valueName: "file"))
    var tlsKey: String?

    @Flag(
        name: .customLong("plain-http"),
        help: """
            Listen on an address that other machines reach without TLS: for a network of your own, or behind a proxy \
            that adds it.
            """)
    var allowsPlainHTTP = false

    @Option(help: ArgumentHelp("What links in answers begin with, such as a proxy's https URL.", valueName: "url"))
    var publicURL: String?

    @Flag(
        help: """
            Make no record types and fields by saving, in development either, as Apple's service does for web clients: \
            `zonefolder schema import` brings them.
            """)
    var noSchemaBySaving = false

    @Flag(
        help: """
            Let requests fail on demand: prints a second URL, to POST rules to, GET and DELETE them. Whoever knows it \
            can fail anyone's requests and end anyone's zones.
            """)
    var faults = false

    @Option(help: "How much to log: trace, debug, info, notice, warning, error or critical.")
    var logLevel: Logger.Level = .warning

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key go together.")
        }
    }

    func run() async throws {
        guard tlsCertificate != nil || allowsPlainHTTP || ServerURL.isLoopback(listen.host) else {
            throw CommandFailure.plainHTTP(
                "A server on \(listen)", way: "Give it a certificate with --tls-certificate FILE --tls-key FILE.")
        }
        let directory = try data.ownDirectory
        var configuration = WebServicesServer.Configuration(dataDirectory: directory)
        configuration.host = listen.host
        configuration.port = listen.port
        configuration.baseURL = publicURL
        if let tlsCertificate, let tlsKey {
            configuration.tls = TLSFiles(
                certificate: try AbsolutePath.unresolved(tlsCertificate),
                privateKey: try AbsolutePath.unresolved(tlsKey))
        }
        configuration.store.learnsSchema = !noSchemaBySaving
        if faults { configuration.faultSecret = Self.secret() }
        OpenFileLimit.raise()
        let server = try WebServicesServer(configuration: configuration, logger: ProgramLog.logger(level: logLevel))
        let announcement = Announcement(
            server: server, scheme: tlsCertificate == nil ? "http" : "https", host: listen.host, publicURL: publicURL,
            data: directory, faultSecret: configuration.faultSecret)
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: server), .init(service: announcement, successTerminationBehavior: .ignore),
        ]
        // From a terminal SIGHUP says that it was closed; else it asks for a reload.
        let isAtTerminal = isatty(0) == 1
        if !isAtTerminal {
            services.append(
                .init(service: CertificateReloading(server: server), successTerminationBehavior: .ignore))
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services,
                gracefulShutdownSignals: isAtTerminal ? [.sigterm, .sigint, .sighup] : [.sigterm, .sigint],
                logger: ProgramLog.quiet))
        try await group.run()
    }

    /// 128 random bits.
    private static func secret() -> String {
        (0..<2).map { _ in String(UInt64.random(in: 1 << 60 ... .max), radix: 16) }.joined()
    }
}

/// Reads the certificate upon SIGHUP, which a service manager sends to reload. A server that has none goes on, too: left to
/// itself the signal would end it.
private struct CertificateReloading: Service {
    let server: WebServicesServer

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            server.readCertificate()
        }
    }
}

/// Tells where the server is, once it is there.
private struct Announcement: Service {
    let server: WebServicesServer
    let scheme: String
    let host: String
    let publicURL: String?
    let data: FilePath
    let faultSecret: String?

    func run() async throws {
        let port = try await server.boundPort()
        let url = ServedURL.own(scheme: scheme, host: host, port: port)
        let others = ServedURL.forOthers(
            publicURL: publicURL, scheme: scheme, host: host, port: port, machine: ServedURL.machine)
        try server.store.setServerURL(others)
        StandardOutput.print(url)
        if let faultSecret { StandardOutput.print("\(url)/faults/\(faultSecret)") }
        let invite = "zonefolder serve invite\(ServerDataPlace.argument(for: data))"
        if try server.store.people(container: nil).isEmpty {
            StandardError.print(
                """
                The data is in \(data). Nobody uses it yet.

                Next, in another terminal:
                  \(invite)
                and with the link that this prints, on the device that is to have the folder:
                  zonefolder init ~/Notes 'LINK' --start
                """)
        } else if StandardError.isTerminal {
            StandardError.print("Invite a further device with: \(invite)")
        }
        SystemdNotice(environment: .current).send("READY=1")
    }
}

/// `HOST:PORT`.
struct ListenAddress: ExpressibleByArgument, CustomStringConvertible {
    var host: String
    var port: Int

    static let standard = Self(host: "127.0.0.1", port: 8080)

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), let port = Int(argument[argument.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        let host = argument[..<colon].filter { $0 != "[" && $0 != "]" }
        guard !host.isEmpty else { return nil }
        self.init(host: host, port: port)
    }

    var description: String { "\(host):\(port)" }
    var defaultValueDescription: String { description }
}
