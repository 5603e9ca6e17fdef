import FolderSettings
import StateStorage

/// A setting as JSON.
struct SettingFound: Encodable {
    var key: String
    var value: Value?
    var isDefault: Bool

    /// Of the kind that the file has.
    struct Value: Encodable {
        var value: ConfigurationSetting.Value

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch value {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            case .flag(let flag): try container.encode(flag)
            case .texts(let texts): try container.encode(texts)
            }
        }
    }

    init(_ setting: ConfigurationSetting) {
        key = setting.key
        value = setting.value.map(Value.init)
        isDefault = setting.isDefault
    }

    /// As it is given to `config set`.
    static func plain(_ value: ConfigurationSetting.Value) -> String {
        switch value {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .texts(let texts): texts.joined(separator: ",")
        }
    }
}

extension ConfigurationKey {
    /// A setting that a command line names.
    /// - Throws: ``CommandFailure`` with the status 2.
    init(named text: String) throws {
        do {
            try self.init(text)
        } catch {
            throw CommandFailure.wrongSetting(error)
        }
    }

    /// The same for a question, which changes nothing in any case.
    init(asked text: String) throws {
        do {
            try self.init(text)
        } catch {
            throw CommandFailure(status: .usage, message: "\(error)")
        }
    }
}

extension CommandFailure {
    static func wrongSetting(_ error: StateError) -> Self {
        Self(status: .usage, message: "\(error) Nothing was changed.")
    }

    static func standsInFile(_ key: String) -> Self {
        Self(status: .error, message: "'\(key)' stands in config.toml itself: `zonefolder config edit` opens it.")
    }

    static func notSet(_ key: String) -> Self {
        Self(status: .error, message: "'\(key)' is not set, and has no default.")
    }
}
