import ArgumentParser
import FolderSettings
import StateStorage

struct ConfigGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Show one setting.",
        discussion: """
            Its plain value on one line, without quotes; nothing, and exit status 1, where it has none.

              zonefolder config get zone ~/Notes
            """)

    @Argument(help: ArgumentHelp("The setting, such as poll_seconds or records.file_type.", valueName: "key"))
    var key: String

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func run() async throws {
        let settings = try FolderConfiguration(of: try folder.stateDirectory).settings
        let setting: ConfigurationSetting
        if let found = settings.first(where: { $0.key == key }) {
            setting = found
        } else {
            guard !ConfigurationKey.isOfTheFileAlone(key) else { throw CommandFailure.standsInFile(key) }
            let known = try ConfigurationKey(asked: key)
            setting = ConfigurationSetting(key: known.text, value: nil, isDefault: true)
        }
        if json { return StandardOutput.print(try JSONText.pretty(SettingFound(setting))) }
        guard let value = setting.value else { throw CommandFailure.notSet(key) }
        StandardOutput.print(Table.oneLine(SettingFound.plain(value)))
    }
}
