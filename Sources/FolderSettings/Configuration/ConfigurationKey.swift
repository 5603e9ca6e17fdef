/// A setting as a person names it, such as `poll_seconds`, `records.file_type` or `merge.fields.Note.visits`.
public struct ConfigurationKey: Hashable, Sendable {
    enum Kind: Hashable {
        case text, number, flag, texts
    }

    /// The names of its tables and its own.
    let names: [String]
    let kind: Kind

    /// With points between the names.
    public var text: String { names.joined(separator: ".") }

    /// - Throws: ``StateError`` with the code `configuration`, which says what is meant where it is nearly a setting.
    public init(_ text: String) throws(StateError) {
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains(""), let kind = Self.kind(of: names) else { throw Self.unknown(text) }
        self.names = names
        self.kind = kind
    }

    private static func kind(of names: [String]) -> Kind? {
        switch (names.first, names.count) {
        case ("types", 3) where names[2] == "required": .texts
        case ("merge", 3) where names[1] == "types": .text
        case ("merge", 4) where names[1] == "fields": .text
        // No limit has no value that would tell.
        case ("limits", 2) where plain[names.joined(separator: ".")] != nil: .number
        default: plain[names.joined(separator: ".")]
        }
    }

    /// Those that every file can have.
    private static let plain = Dictionary(
        uniqueKeysWithValues: FolderConfiguration(container: "", zone: "", device: "").plainSettings.map {
            ($0.key, kind(of: $0.value))
        })

    private static func kind(of value: ConfigurationSetting.Value?) -> Kind {
        switch value {
        case .text, nil: .text
        case .number: .number
        case .flag: .flag
        case .texts: .texts
        }
    }

    private static func unknown(_ text: String) -> StateError {
        if isOfTheFileAlone(text) { return .notSetByName(text) }
        let all = plain.keys.sorted()
        // Without its table is how it stands in the file.
        let meant = text.isEmpty ? nil : all.first { $0.hasSuffix("." + text) }
        return .unknownSetting(text, meant: meant ?? NearestWord.to(text, among: all))
    }

    /// Whether a name is of a setting that no command changes.
    package static func isOfTheFileAlone(_ text: String) -> Bool {
        text.hasPrefix("types.") && text.contains(".default_asset")
    }

    /// A value as it is written on a command line, such as `60`, `true`, `Notes` or `title,text`.
    func value(_ text: String) throws(StateError) -> ConfigurationSetting.Value {
        switch kind {
        case .text: return .text(text)
        case .number:
            guard let number = Int64(text) else {
                throw .configuration(self.text, "must be a whole number, not \"\(text)\".")
            }
            return .number(number)
        case .flag:
            guard let flag = Bool(text) else { throw .configuration(self.text, "must be true or false.") }
            return .flag(flag)
        case .texts: return .texts(text.split(separator: ",").map { String($0.drop { $0 == " " }) })
        }
    }
}

extension StateError {
    static func unknownSetting(_ key: String, meant: String?) -> Self {
        let way = meant.map { "Did you mean '\($0)'?" } ?? "`zonefolder config list` names all of them."
        return Self(.configuration, "config.toml: '\(key)' is no setting. \(way)")
    }

    static func notSetByName(_ key: String) -> Self {
        Self(.configuration, "config.toml: '\(key)' is set in the file itself: `zonefolder config edit`.")
    }

    static func notEditable(_ key: String) -> Self {
        Self(
            .configuration,
            "config.toml: '\(key)' stands in a form that is not changed without reading it all. Change it in the file "
                + "itself: `zonefolder config edit`.")
    }
}
