import ArgumentParser
import SyncEngine

struct StartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Sync a folder in the background.",
        discussion: """
            Returns once the daemon answers, or tells why it ended. The daemon outlives the terminal; its log is \
            daemon.log in the folder's .zonefolder. Where one runs already, nothing is done.
            """)

    @OptionGroup var folder: FolderArgument

    @Option(help: "Seconds to wait for the daemon's first answer.")
    var timeout = 30

    func run() async throws {
        let daemon = BackgroundDaemon(for: try folder.stateDirectory)
        switch try await daemon.start(within: .seconds(timeout)) {
        case .alreadyRuns(let process): StandardOutput.print("Process \(process) already syncs \(daemon.folder).")
        case .started(let process): StandardOutput.print("Process \(process) syncs \(daemon.folder).")
        }
    }
}
