extension FolderConfiguration {
    /// The text of a configuration file with one setting changed, and all else as it was.
    /// - Parameter value: As on a command line, such as `60`, `true`, `Notes` or `title,text`; `nil`: comments it out, so that
    ///   its default holds.
    /// - Throws: ``StateError`` with the code `configuration` where the outcome would not be one, with the line of it that is
    ///   wrong.
    public static func changing(
        _ key: ConfigurationKey, to value: String?, in text: String
    ) throws(StateError) -> String {
        var edited = ConfigurationText(text)
        let wanted: ConfigurationSetting.Value?
        if let value {
            let literal = try key.value(value)
            edited.set(key.names, to: literal.description)
            wanted = literal
        } else {
            edited.comment(key.names)
            wanted = nil
        }
        let after = try FolderConfiguration(toml: edited.text).settings
        // A text of a form that the change did not see through must not be changed otherwise than was meant.
        let found = after.first { $0.key == key.text }
        let isAsWanted = wanted == nil ? found?.isDefault ?? true : found?.value == wanted || wanted == .texts([])
        guard isAsWanted else { throw .notEditable(key.text) }
        if let before = try? FolderConfiguration(toml: text).settings,
            before.filter({ $0.key != key.text }) != after.filter({ $0.key != key.text })
        {
            throw .notEditable(key.text)
        }
        return edited.text
    }

    /// The text of a folder's file.
    public static func text(of directory: StateDirectory) throws(StateError) -> String {
        guard let bytes = try DurableFile.read(directory.configurationFile) else {
            throw .missing(directory.configurationFile)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .notATable("it is not UTF-8", line: 1)
        }
        return text
    }

    /// Replaces the file of a folder, durably, once the text was read as a configuration.
    public static func replace(_ text: String, of directory: StateDirectory) throws(StateError) {
        _ = try FolderConfiguration(toml: text)
        try DurableFile.write(Array(text.utf8), to: directory.configurationFile)
    }
}
