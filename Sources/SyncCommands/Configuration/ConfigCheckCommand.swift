import ArgumentParser
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

struct ConfigCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Read config.toml and name what is wrong with it.",
        discussion: """
            Reads also the files that it names. Nothing is asked of the server: see `zonefolder doctor` for that. Exit \
            status 78, with the line, where something is wrong.

              zonefolder config check ~/Notes
            """)

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func run() async throws {
        let directory = try folder.stateDirectory
        let configuration: FolderConfiguration
        do throws(StateError) {
            configuration = try FolderConfiguration(of: directory)
            _ = try configuration.privateAuthority
            _ = try configuration.schemaText(of: directory)
        } catch {
            guard json else { throw error }
            try tell(of: directory, error)
            throw ExitStatus(of: error)
        }
        guard !json else { return try tell(of: directory, nil) }
        StandardOutput.print(
            "\(directory.configurationFile) is right: zone '\(configuration.zone)' of \(configuration.container) on "
                + "\(configuration.server).")
    }

    private func tell(of directory: StateDirectory, _ error: StateError?) throws {
        StandardOutput.print(
            try JSONText.pretty(
                Finding(
                    file: directory.configurationFile.string, isRight: error == nil, message: error?.message,
                    line: error?.line)))
    }

    private struct Finding: Encodable {
        var file: String
        var isRight: Bool
        var message: String?
        var line: Int?
    }
}

struct ConfigReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Let the daemon read config.toml again.",
        discussion: """
            After a change with an editor. The process goes on; a file that is wrong changes nothing.

              zonefolder config reload ~/Notes
            """)

    @OptionGroup var folder: FolderArgument

    func run() async throws {
        let directory = try folder.stateDirectory
        _ = try FolderConfiguration(of: directory)
        let outcome = try await ConfigurationChange.takeOver(directory)
        StandardOutput.print(outcome.sentence)
        if outcome == .stored { throw ExitStatus.notRunning }
    }
}
