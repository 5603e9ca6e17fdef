import SyncModel

extension FolderConfiguration {
    /// Reads the file of a folder.
    /// - Throws: ``StateError`` with the code `configuration`, which names the setting and its line, or `missing`.
    public init(of directory: StateDirectory) throws(StateError) {
        try self.init(toml: Self.text(of: directory))
    }

    /// Writes a new file of a folder, durably.
    public func write(to directory: StateDirectory) throws(StateError) {
        try DurableFile.write(Array(tomlText.utf8), to: directory.configurationFile)
    }

    /// Reads the text of a file.
    /// - Throws: ``StateError`` with the code `configuration`, which names the setting and its line.
    public init(toml text: String) throws(StateError) {
        var top = try TOMLSection(text: text)
        guard let container = try top.string("container") else { throw top.error("container", "is missing.") }
        guard let zone = try top.string("zone") else { throw top.error("zone", "is missing.") }
        guard let device = try top.string("device") else { throw top.error("device", "is missing.") }
        self.init(container: container, zone: zone, device: device)
        try readFolder(&top)
        if var records = try top.section("records") { try readRecords(&records) }
        if var types = try top.section("types") { try readTypes(&types) }
        if var merge = try top.section("merge") { try readMerge(&merge) }
        if var section = try top.section("limits") { try readLimits(&section) }
        try top.finish(known: [
            "server", "tls_ca", "plain_http", "container", "environment", "database", "zone", "owner", "device",
            "poll_seconds", "audit_minutes",
            "deletion_limit", "deletion_percent", "history_days", "history_bytes", "history_own_bytes",
            "asset_limit_bytes", "disk_reserve_bytes", "schema", "on_attention", "unfit_json", "[records]",
            "[types.TYPE]", "[merge]",
            "[limits]",
        ])
        if let (key, reason) = firstFault { throw top.error(key, reason) }
    }

    private mutating func readFolder(_ top: inout TOMLSection) throws(StateError) {
        server = try top.string("server") ?? server
        authorityFile = try top.string("tls_ca")
        allowsPlainHTTP = try top.bool("plain_http") ?? allowsPlainHTTP
        environment = try top.word("environment", Environment.self) ?? environment
        let name = try top.string("database") ?? database.rawValue
        switch name {
        case "private": database = .private
        case "shared": database = .shared
        case "public":
            throw top.error(
                "database",
                "is \"public\", which keeps no list of changes and has the default zone only: \"private\" and "
                    + "\"shared\" can be synced.")
        default: throw top.error("database", "must be \"private\" or \"shared\", not \"\(name)\".")
        }
        owner = try top.string("owner")
        if let seconds = try top.integer("poll_seconds", in: 1...86_400) { pollingInterval = .seconds(seconds) }
        if let minutes = try top.integer("audit_minutes", in: 1...10_080) { auditInterval = .seconds(60 * minutes) }
        deletionLimit = try top.integer("deletion_limit", in: 0...1_000_000_000) ?? deletionLimit
        deletionShare = try top.integer("deletion_percent", in: 0...100) ?? deletionShare
        historyDays = try top.integer("history_days", in: 1...36_500) ?? historyDays
        if let bytes = try top.integer("history_bytes", in: 0...(1 << 50)) { historyLimit = Int64(bytes) }
        if let bytes = try top.integer("history_own_bytes", in: 0...(1 << 50)) { ownHistoryLimit = Int64(bytes) }
        if let bytes = try top.integer("asset_limit_bytes", in: 1...(1 << 40)) { assetLimit = Int64(bytes) }
        if let bytes = try top.integer("disk_reserve_bytes", in: 0...(1 << 40)) { diskReserve = Int64(bytes) }
        unfitFiles = try top.word("unfit_json", UnfitFiles.self) ?? unfitFiles
        if let file = try top.string("schema"), !file.isEmpty { schemaFile = file }
        if let command = try top.string("on_attention"), !command.isEmpty { attentionCommand = command }
        top.discard("reupload_after_encrypted_data_reset")
    }

    private mutating func readRecords(_ records: inout TOMLSection) throws(StateError) {
        fileRecordType = try records.string("file_type") ?? fileRecordType
        records.discard("path_attribute")
        try records.finish(known: ["file_type"])
    }

    private mutating func readTypes(_ types: inout TOMLSection) throws(StateError) {
        for type in types.keys {
            guard var rules = try types.section(type) else { continue }
            var read = TypeRules(required: try rules.strings("required") ?? [])
            if var defaults = try rules.section("default_asset") {
                for key in defaults.keys {
                    guard let text = try defaults.string(key) else { continue }
                    guard let path = FolderPath(text) else {
                        throw defaults.error(key, "must be the path of a file, relative to this folder.")
                    }
                    read.defaultAssets[key] = path
                }
            }
            try rules.finish(known: ["required", "default_asset"])
            self.types[type] = read
        }
    }

    private mutating func readLimits(_ section: inout TOMLSection) throws(StateError) {
        let bytes = TransferLimits.slowest...(1 << 40)
        limits.uploadBytes = try section.integer("upload_bytes_per_second", in: bytes)
        limits.downloadBytes = try section.integer("download_bytes_per_second", in: bytes)
        limits.requests = try section.integer("requests_per_second", in: 1...1000)
        try section.finish(known: ["upload_bytes_per_second", "download_bytes_per_second", "requests_per_second"])
    }

    private mutating func readMerge(_ merge: inout TOMLSection) throws(StateError) {
        let general = { (policy: MergePolicies.Policy) in policy.isGeneral }
        self.merge.standard =
            try merge.word("default", MergePolicies.Policy.self, where: general) ?? self.merge.standard
        if var types = try merge.section("types") {
            for type in types.keys {
                self.merge.types[type] = try types.word(type, MergePolicies.Policy.self, where: general)
            }
        }
        if var types = try merge.section("fields") {
            for type in types.keys {
                guard var fields = try types.section(type) else { continue }
                for field in fields.keys {
                    self.merge.fields[type, default: [:]][field] = try fields.word(field, MergePolicies.Policy.self)
                }
            }
        }
        try merge.finish(known: ["default", "[merge.types]", "[merge.fields.TYPE]"])
    }
}
