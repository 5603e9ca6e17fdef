import ArgumentParser
import StateStorage
import SyncEngine

struct StartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Sync folders in the background.",
        discussion: """
            Returns once the daemon answers, or tells why it ended; says before how many files and bytes a first sync \
            sends. The daemon outlives the terminal; its log is \
            daemon.log in the .zonefolder of the first folder. Where one runs already, nothing is done.

            One daemon syncs all the folders that are named: those of one database and account share the requests that \
            ask what changed.
            """)

    @OptionGroup var folders: FolderArguments

    @Option(help: "Seconds to wait for the daemon's first answer.")
    var timeout = 30

    func run() async throws {
        let directories = try folders.stateDirectories
        for directory in directories where FolderLock.holder(of: directory) == nil {
            // What is wrong with a folder, the daemon tells; the others start all the same.
            guard let configuration = try? FolderConfiguration(of: directory),
                let measure = try? FirstUpload.measureIfAhead(of: directory)
            else { continue }
            let text = FirstUploadText.text(measure, configuration)
            StandardError.print(directories.count == 1 ? text : "\(directory.folder): \(text)")
        }
        let daemon = BackgroundDaemon(for: directories[0], and: Array(directories.dropFirst()))
        try await daemon.start(within: .seconds(timeout)) { folder, start in
            switch start {
            case .alreadyRuns(let process): StandardOutput.print("Process \(process) already syncs \(folder).")
            case .started(let process): StandardOutput.print("Process \(process) syncs \(folder).")
            }
        }
    }
}
