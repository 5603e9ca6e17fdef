import ArgumentParser
import FolderSettings
import StateStorage

struct ConfigSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change one setting.",
        discussion: """
            Another name of the same server is taken over without a question: the account and the zone there are \
            compared first. Where they differ, or another zone is named, a person is asked on the terminal; --yes \
            answers before. No file is deleted by that, and nothing is sent there before `zonefolder approve zone`.

              zonefolder config set poll_seconds 20 ~/Notes
              zonefolder config set types.Note.required title,text
              zonefolder config set merge.fields.Note.visits counter
            """)

    @Argument(help: ArgumentHelp("The setting, such as poll_seconds or records.file_type.", valueName: "key"))
    var key: String

    @Argument(help: ArgumentHelp("What it is from now on. A list has commas.", valueName: "value"))
    var value: String

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Also where that is another zone than before.")
    var yes = false

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func run() async throws {
        try await ConfigSetting(directory: folder.stateDirectory, isAgreed: yes, json: json).set(key, to: value)
    }
}

struct ConfigUnsetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Let the default of one setting hold again.",
        discussion: """
            Its line becomes a comment.

              zonefolder config unset poll_seconds ~/Notes
            """)

    @Argument(help: ArgumentHelp("The setting.", valueName: "key"))
    var key: String

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Also where that is another zone than before.")
    var yes = false

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func run() async throws {
        try await ConfigSetting(directory: folder.stateDirectory, isAgreed: yes, json: json).set(key, to: nil)
    }
}

/// Changes one setting and tells of it.
private struct ConfigSetting {
    var directory: StateDirectory
    var isAgreed: Bool
    var json: Bool

    func set(_ name: String, to value: String?) async throws {
        let key = try ConfigurationKey(named: name)
        let before = try FolderConfiguration.text(of: directory)
        let after: String
        do {
            after = try FolderConfiguration.changing(key, to: value, in: before)
        } catch {
            // What is wrong may be what stands there already.
            _ = try FolderConfiguration(toml: before)
            throw CommandFailure.wrongSetting(error)
        }
        let outcome = try await ConfigurationChange(directory, from: before, to: after, isAgreed: isAgreed).carryOut()
        let settings = try FolderConfiguration(toml: after).settings
        let setting = settings.first { $0.key == key.text }
        guard !json else {
            return StandardOutput.print(
                try JSONText.pretty(
                    SettingChanged(
                        setting: setting.map(SettingFound.init), key: key.text, isChanged: before != after,
                        process: outcome.process)))
        }
        StandardOutput.print(
            setting.map(ConfigListCommand.line) ?? "# \(key.text) is not set")
        StandardOutput.print(outcome.sentence)
        if value != nil, let fileType = settings.first(where: { $0.key == "records.file_type" })?.value,
            case .text(let type) = fileType, key.text == "merge.types.\(type)"
        {
            StandardError.print(
                "It decides over fields of structured records. Of a plain file the zone's version stands in any case, and the "
                    + "other one is in a conflict copy.")
        }
    }

    private struct SettingChanged: Encodable {
        var setting: SettingFound?
        var key: String
        var isChanged: Bool
        /// The daemon that goes by it.
        var process: Int32?
    }
}
