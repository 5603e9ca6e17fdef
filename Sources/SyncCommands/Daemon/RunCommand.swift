public import ArgumentParser
public import Logging
import ServiceLifecycle
import StateStorage
import SyncService
import SystemPackage
import UnixSignals

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Sync folders in the foreground, until told to stop.",
        discussion: """
            This is what a service manager runs; `zonefolder start` runs it in the background. It ends upon SIGTERM, \
            SIGINT or `zonefolder stop`, once what is being carried out is in a safe state.

            Folders of one database and account share the requests that ask what changed. One folder that cannot be \
            synced is named in the log, and the others go on without it.

            Where NOTIFY_SOCKET is set (systemd's Type=notify), readiness is told there, and with WATCHDOG_USEC \
            that the engine of every folder still answers. The log goes to standard error.
            """)

    @OptionGroup var folders: FolderArguments

    @Option(help: "How much to log: trace, debug, info, notice, warning, error or critical.")
    var logLevel: Logger.Level = .info

    func run() async throws {
        let folders = try folders.folders
        try OpenFileLimit.raiseForFolders()
        KnownFolders.note(folders)
        let logger = ProgramLog.logger(level: logLevel)
        let environment = ProgramEnvironment.current
        let supervisor = SystemdNotice(environment: environment)
        let service = FolderService(
            folders: folders, logger: logger, onReady: { supervisor.send("READY=1", waits: true) },
            aliveEvery: environment.watchdogInterval, onAlive: { supervisor.send("WATCHDOG=1") },
            onAttention: { AttentionCommand.start($0, $1, logger) })
        defer { supervisor.send("STOPPING=1") }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                // `zonefolder stop` ends the service from within: that is no failure.
                services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: ProgramLog.quiet))
        try await group.run()
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
