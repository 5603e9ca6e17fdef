import ArgumentParser
import FolderSettings
import StateStorage
import SystemPackage

struct ConfigListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show all settings as they hold.",
        discussion: """
            As config.toml spells them; defaults are marked, and what has no value is a comment.

              zonefolder config list --changed ~/Notes
            """)

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Only what differs from the defaults.")
    var changed = false

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func run() async throws {
        let directory = try folder.stateDirectory
        let all = try FolderConfiguration(of: directory).settings
        let settings = changed ? all.filter { !$0.isDefault } : all
        guard !json else {
            return StandardOutput.print(
                try JSONText.pretty(
                    SettingsFound(folder: directory.folder.string, settings: settings.map(SettingFound.init))))
        }
        for setting in settings { StandardOutput.print(Self.line(setting)) }
    }

    static func line(_ setting: ConfigurationSetting) -> String {
        guard let value = setting.value else { return "# \(setting.key) is not set" }
        return "\(setting.key) = \(value)\(setting.isDefault ? "  # default" : "")"
    }

    private struct SettingsFound: Encodable {
        var folder: String
        var settings: [SettingFound]
    }
}
