import ArgumentParser

struct StopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Stop the daemon of a folder.",
        discussion: """
            Returns once the daemon has ended; what it was carrying out is in a safe state then. A daemon for several \
            folders stops for all of them. Exit status 5 where none runs.
            """)

    @OptionGroup var folder: FolderArgument

    @Option(help: "Seconds to wait for its end.")
    var timeout = 60

    func run() async throws {
        let daemon = BackgroundDaemon(for: try folder.stateDirectory)
        try await daemon.stop(within: .seconds(timeout))
        StandardOutput.print("\(daemon.folder) is no longer synced.")
    }
}
