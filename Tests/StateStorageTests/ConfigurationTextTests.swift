import FolderSettings
import StateStorage
import Testing

@Suite("config.toml, one setting changed")
struct ConfigurationTextTests {
    private static let least = "container = \"iCloud.a\"\nzone = \"Notes\"\ndevice = \"oak\""

    @Test(
        "Comments, order and spacing stay, wherever the setting goes",
        arguments: [
            // In its line, with what stands behind it.
            ("poll_seconds = 60   # a \"minute\"", "poll_seconds", "5", "poll_seconds = 5   # a \"minute\""),
            ("  zone2=1", "x", nil, nil),
            ("server = \"https://a#b\" # home", "server", "https://c.example", "server = \"https://c.example\" # home"),
            // In place of the example.
            ("# schema = \"schema.ckdb\"\n# more", "schema", "s.ckdb", "schema = \"s.ckdb\"\n# more"),
            // In its table, in a table that is empty, and in one of its own.
            (
                "[records]\n# The type.\nfile_type = \"File\"\n\n[merge]", "merge.default", "newest",
                "[records]\n# The type.\nfile_type = \"File\"\n\n[merge]\ndefault = \"newest\""
            ),
            ("[merge]", "merge.types.Note", "local", "[merge]\n\n[merge.types]\nNote = \"local\"\n"),
            (
                "[merge.fields.Note]\na = \"max\"\n\n# end", "merge.fields.Note.b c", "min",
                "[merge.fields.Note]\na = \"max\"\n\"b c\" = \"min\"\n\n# end"
            ),
            // A list over several lines.
            (
                "[types.Note]\nrequired = [ # those\n  \"a\", # one\n  \"b]\",\n] # end\n# next", "types.Note.required",
                "c,d",
                "[types.Note]\nrequired = [\"c\", \"d\"] # end\n# next"
            ),
            // Commented out.
            ("owner = \"_a\" # whose\n", "owner", nil, "# owner = \"_a\" # whose\n"),
            ("poll_seconds = 5\r\n# end\r\n", "poll_seconds", "6", "poll_seconds = 6\r\n# end\r\n"),
        ] as [(String, String, String?, String?)])
    func changed(_ row: (text: String, key: String, value: String?, expected: String?)) throws {
        guard let expected = row.expected else {
            #expect(throws: StateError.self) { try ConfigurationKey(row.key) }
            return
        }
        let text = try FolderConfiguration.changing(
            ConfigurationKey(row.key), to: row.value, in: Self.least + "\n" + row.text)
        #expect(text == Self.least + "\n" + expected)
    }

    @Test("A new setting of the file goes below its others")
    func appended() throws {
        let text = try FolderConfiguration.changing(ConfigurationKey("history_days"), to: "7", in: Self.least + "\n")
        #expect(text == Self.least + "\nhistory_days = 7\n")
    }

    @Test("Every setting can be changed in a file as `init` writes it, and changes alone")
    func everySetting() throws {
        let configuration = FolderConfiguration(container: "iCloud.a", zone: "Notes", device: "oak")
        for setting in configuration.settings {
            let key = try ConfigurationKey(setting.key)
            let value =
                switch setting.key {
                case "server": "https://example.org"
                case "tls_ca": "/ca.pem"
                case "container": "iCloud.b"
                case "environment": "production"
                case "database": "private"
                case "unfit_json": "hold"
                case "merge.default": "local"
                case "plain_http": "true"
                case _ where setting.key.hasPrefix("limits."): setting.key.contains("bytes") ? "10000" : "1"
                default: if case .number = setting.value { "7" } else { "Other" }
                }
            let text = try FolderConfiguration.changing(key, to: value, in: configuration.tomlText)
            let after = try FolderConfiguration(toml: text).settings
            #expect(after.filter { $0.key != setting.key } == configuration.settings.filter { $0.key != setting.key })
            let lines = configuration.tomlText.split(separator: "\n", omittingEmptySubsequences: false)
            let changed = zip(lines, text.split(separator: "\n", omittingEmptySubsequences: false)).count { $0 != $1 }
            #expect(changed <= 1 && text.split(separator: "\n", omittingEmptySubsequences: false).count == lines.count)
        }
        // What the file of `init` names is a setting.
        for line in configuration.tomlText.split(separator: "\n") where line.first?.isLetter == true {
            let name = String(line.prefix { $0 != " " })
            #expect(configuration.settings.contains { $0.key == name || $0.key.hasSuffix(".\(name)") }, "\(name)")
        }
    }

    @Test(
        "What cannot be meant is refused, and says why",
        arguments: [
            ("poll_seconds", "0", "1 to 86400"), ("poll_seconds", "soon", "whole number"),
            ("plain_http", "yes", "true or false"), ("zone", "_defaultZone", "list of changes"),
            ("merge.types.Note", "theirs", "\"remote\""), ("environment", nil, nil), ("zone", nil, "missing"),
        ] as [(String, String?, String?)])
    func refused(_ row: (key: String, value: String?, says: String?)) throws {
        let key = try ConfigurationKey(row.key)
        let text = Self.least + "\nenvironment = \"production\"\n"
        guard let says = row.says else {
            #expect(try FolderConfiguration.changing(key, to: nil, in: text).contains("# environment"))
            return
        }
        let error = #expect(throws: StateError.self) {
            try FolderConfiguration.changing(key, to: row.value, in: text)
        }
        #expect(error?.code == .configuration && error?.message.contains(says) == true, "\(error?.message ?? "")")
    }

    @Test("A form that is not seen through is left alone")
    func otherForms() throws {
        let text = Self.least + "\nmerge = { default = \"local\" }\n"
        let error = #expect(throws: StateError.self) {
            try FolderConfiguration.changing(ConfigurationKey("merge.default"), to: "newest", in: text)
        }
        #expect(error?.code == .configuration)
    }

    @Test(
        "A mistyped key is known by what is near",
        arguments: [
            ("pol_seconds", "'poll_seconds'"), ("poll_secnods", "'poll_seconds'"), ("file_type", "'records.file_type'"),
            ("histroy_days", "'history_days'"), ("records.file_typ", "'records.file_type'"), ("token", "config list"),
            ("types.Note.default_asset.image", "config edit"), ("", "config list"), ("merge.", "config list"),
        ])
    func nearest(_ row: (key: String, says: String)) {
        let error = #expect(throws: StateError.self) { try ConfigurationKey(row.key) }
        #expect(error?.message.contains(row.says) == true, "\(error?.message ?? "")")
    }
}
