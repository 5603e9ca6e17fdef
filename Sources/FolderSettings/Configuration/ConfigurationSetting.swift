import SyncModel

/// One setting of `config.toml`, as it holds.
public struct ConfigurationSetting: Hashable, Sendable {
    /// What a setting can be.
    public enum Value: Hashable, Sendable {
        case text(String)
        case number(Int64)
        case flag(Bool)
        case texts([String])
    }

    /// With the names of its table, such as `records.file_type`.
    public var key: String
    /// `nil`: none, for a setting that can be left out.
    public var value: Value?
    /// Whether it is what holds where the file says nothing; `false` for what has no such value.
    public var isDefault: Bool

    /// A setting as it was found.
    public init(key: String, value: Value?, isDefault: Bool) {
        self.key = key
        self.value = value
        self.isDefault = isDefault
    }
}

extension ConfigurationSetting.Value: CustomStringConvertible {
    /// As TOML spells it.
    public var description: String {
        switch self {
        case .text(let text): FolderConfiguration.quoted(text)
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .texts(let texts): "[\(texts.map(FolderConfiguration.quoted).joined(separator: ", "))]"
        }
    }
}

extension FolderConfiguration {
    /// All settings in the order of the file, those that are not in it too.
    public var settings: [ConfigurationSetting] {
        // What has no default is compared with what nobody can have set.
        let standard = FolderConfiguration(container: "", zone: "", device: "")
        let plain = zip(plainSettings, standard.plainSettings).map { own, standard in
            ConfigurationSetting(key: own.key, value: own.value, isDefault: own.value == standard.value)
        }
        return plain + exceptions
    }

    /// Those that every file can have.
    var plainSettings: [(key: String, value: ConfigurationSetting.Value?)] {
        [
            ("server", .text(server)),
            ("tls_ca", authorityFile.map { .text($0) }),
            ("plain_http", .flag(allowsPlainHTTP)),
            ("container", .text(container)),
            ("environment", .text(environment.rawValue)),
            ("database", .text(database.rawValue)),
            ("zone", .text(zone)),
            ("owner", owner.map { .text($0) }),
            ("device", .text(device)),
            ("poll_seconds", .number(pollingInterval.components.seconds)),
            ("audit_minutes", .number(auditInterval.components.seconds / 60)),
            ("deletion_limit", .number(Int64(deletionLimit))),
            ("deletion_percent", .number(Int64(deletionShare))),
            ("history_days", .number(Int64(historyDays))),
            ("history_bytes", .number(Int64(historyLimit))),
            ("history_own_bytes", .number(Int64(ownHistoryLimit))),
            ("asset_limit_bytes", .number(assetLimit)),
            ("disk_reserve_bytes", .number(diskReserve)),
            ("unfit_json", .text(unfitFiles.rawValue)),
            ("schema", schemaFile.map { .text($0) }),
            ("on_attention", attentionCommand.map { .text($0) }),
            ("records.file_type", .text(fileRecordType)),
            ("limits.upload_bytes_per_second", limits.uploadBytes.map { .number(Int64($0)) }),
            ("limits.download_bytes_per_second", limits.downloadBytes.map { .number(Int64($0)) }),
            ("limits.requests_per_second", limits.requests.map { .number(Int64($0)) }),
            ("merge.default", .text(merge.standard.rawValue)),
        ]
    }

    /// What is said of single record types.
    private var exceptions: [ConfigurationSetting] {
        var found: [ConfigurationSetting] = []
        func add(_ key: String, _ value: ConfigurationSetting.Value) {
            found.append(ConfigurationSetting(key: key, value: value, isDefault: false))
        }
        for (type, rules) in types.sorted(by: { $0.key < $1.key }) {
            if !rules.required.isEmpty { add("types.\(type).required", .texts(rules.required)) }
            for (field, path) in rules.defaultAssets.sorted(by: { $0.key < $1.key }) {
                add("types.\(type).default_asset.\(field)", .text(path.description))
            }
        }
        for (type, policy) in merge.types.sorted(by: { $0.key < $1.key }) {
            add("merge.types.\(type)", .text(policy.rawValue))
        }
        for (type, fields) in merge.fields.sorted(by: { $0.key < $1.key }) {
            for (field, policy) in fields.sorted(by: { $0.key < $1.key }) {
                add("merge.fields.\(type).\(field)", .text(policy.rawValue))
            }
        }
        return found
    }
}
