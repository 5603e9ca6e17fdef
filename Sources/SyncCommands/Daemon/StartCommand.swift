import ArgumentParser
import SyncEngine

struct StartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Sync folders in the background.",
        discussion: """
            Returns once the daemon answers, or tells why it ended. The daemon outlives the terminal; its log is \
            daemon.log in the .zonefolder of the first folder. Where one runs already, nothing is done.

            One daemon syncs all the folders that are named: those of one database and account share the requests that \
            ask what changed.
            """)

    @OptionGroup var folders: FolderArguments

    @Option(help: "Seconds to wait for the daemon's first answer.")
    var timeout = 30

    func run() async throws {
        let directories = try folders.stateDirectories
        let daemon = BackgroundDaemon(for: directories[0], and: Array(directories.dropFirst()))
        try await daemon.start(within: .seconds(timeout)) { folder, start in
            switch start {
            case .alreadyRuns(let process): StandardOutput.print("Process \(process) already syncs \(folder).")
            case .started(let process): StandardOutput.print("Process \(process) syncs \(folder).")
            }
        }
    }
}
