import FolderSettings
import StateStorage
import SyncModel
import Testing

/// The least text that is a configuration, with one more line, or with one replaced.
private func text(_ line: String, without key: String? = nil) -> String {
    let lines = ["container = \"iCloud.com.example.notes\"", "zone = \"Notes\"", "device = \"oak\""]
    let key = key ?? String(line.prefix { $0 != " " })
    return (lines.filter { !$0.hasPrefix(key + " ") } + [line]).joined(separator: "\n")
}

@Suite("config.toml")
struct FolderConfigurationTests {
    @Test("What is written reads back the same, exceptions and odd characters included")
    func roundTrip() throws {
        var configuration = FolderConfiguration(
            container: "iCloud.com.example.notes", zone: "My \"Notes\"\\", device: "oak")
        #expect(try FolderConfiguration(toml: configuration.tomlText) == configuration)
        configuration.server = "http://notes.example.org:8080"
        configuration.allowsPlainHTTP = true
        configuration.authorityFile = "/etc/ssl/a \"private\" one.pem"
        configuration.environment = .production
        configuration.database = .shared
        configuration.owner = "_0123"
        configuration.fileRecordType = "Blob"
        configuration.pollingInterval = .seconds(5)
        configuration.assetLimit = 15_000_000
        configuration.diskReserve = 0
        configuration.deletionLimit = 0
        configuration.deletionShare = 100
        configuration.historyDays = 1
        configuration.limits.uploadBytes = TransferLimits.slowest
        configuration.limits.downloadBytes = 2_000_000
        configuration.limits.requests = 1
        configuration.attentionCommand = "echo \"$ZONEFOLDER_MESSAGE\" >>'a b'"
        configuration.historyLimit = 2
        configuration.ownHistoryLimit = 3
        configuration.merge = MergePolicies(
            standard: .newest, types: ["Note": .local], fields: ["Note": ["visits": .counter, "tags": .union]])
        #expect(try FolderConfiguration(toml: configuration.tomlText) == configuration)
        try configuration.check()

        let folder = try TemporaryFolder()
        try configuration.write(to: folder.state)
        #expect(try FolderConfiguration(of: folder.state) == configuration)
    }

    @Test("What is asked of the files of a type is written and read again, by keys of any kind (S3.8, S3.12)")
    func types() throws {
        var configuration = FolderConfiguration(container: "iCloud.com.example.notes", zone: "Notes", device: "oak")
        configuration.unfitFiles = .hold
        configuration.schemaFile = "sche\"ma.ckdb"
        configuration.types = [
            "Card": TypeRules(required: ["a b", "é"]),
            "Note": TypeRules(required: ["title"], defaultAssets: ["a b": FolderPath("pics/é.png")!]),
        ]
        #expect(try FolderConfiguration(toml: configuration.tomlText) == configuration)
    }

    @Test(
        "A limit that would stop the network, or is none, is refused with its key",
        arguments: ["upload_bytes_per_second = 9999", "download_bytes_per_second = 0", "requests_per_second = \"2\""])
    func limits(line: String) throws {
        let error = try #require(throws: StateError.self) {
            try FolderConfiguration(toml: text("[limits]") + "\n" + line)
        }
        #expect(error.description.contains(line.prefix { $0 != " " }), "\(error)")
    }

    @Test("A file without a database is one of the private database")
    func olderFile() throws {
        let written = FolderConfiguration(container: "iCloud.com.example.notes", zone: "Notes", device: "oak")
        let lines = written.tomlText.split(separator: "\n").filter { !$0.hasPrefix("database") }
        #expect(try FolderConfiguration(toml: lines.joined(separator: "\n")) == written)
        #expect(written.database == .private)
    }

    @Test("What `init` of an earlier version wrote and no version acted on is passed over, and not written any more")
    func formerSettings() throws {
        let written = FolderConfiguration(container: "iCloud.com.example.notes", zone: "Notes", device: "oak")
        for key in ["path_attribute", "reupload_after_encrypted_data_reset"] {
            #expect(!written.tomlText.contains(key))
        }
        let text =
            "reupload_after_encrypted_data_reset = false\n"
            + written.tomlText.replacing("[records]", with: "[records]\npath_attribute = \"where\"")
        #expect(try FolderConfiguration(toml: text) == written)
    }

    @Test("The closest policy counts: the field's, the type's, the standard")
    func policies() {
        let merge = MergePolicies(standard: .remote, types: ["Note": .local], fields: ["Note": ["visits": .counter]])
        #expect(merge.policy(recordType: "Note", field: "visits") == .counter)
        #expect(merge.policy(recordType: "Note", field: "title") == .local)
        #expect(merge.policy(recordType: "Card", field: "visits") == .remote)
    }

    @Test(
        "A wrong setting is named, with its line and the way out (S1.3)",
        arguments: [
            (text("container = \"com.example\""), "container", 3, "iCloud."),
            (text("container = \"iCloud.\""), "container", 3, "iCloud."),
            (text("container = \"iCloud.a b\""), "container", 3, "letters"),
            (text("container = 5"), "container", 3, "quotes"),
            (text("# nothing", without: "container"), "container", nil, "missing"),
            (text("# nothing", without: "zone"), "zone", nil, "missing"),
            (text("# nothing", without: "device"), "device", nil, "missing"),
            (text("zone = \"_defaultZone\""), "zone", 3, "keeps no list of changes"),
            (text("zone = \"\""), "zone", 3, "1 to 255"),
            (text("zone = \"Größe\""), "zone", 3, "ASCII"),
            (text("environment = \"staging\""), "environment", 4, "\"development\" or \"production\""),
            (text("database = \"public\""), "database", 4, "no list of changes"),
            (text("database = \"mine\""), "database", 4, "\"private\" or \"shared\""),
            (text("database = \"shared\""), "owner", nil, "missing"),
            (text("database = \"shared\"\nowner = \"\""), "owner", 5, "user record name"),
            (text("server = \"api.apple-cloudkit.com\""), "server", 4, "URL"),
            (text("server = \"https://example.com/path\""), "server", 4, "URL"),
            (text("server = \"https://user@example.com\""), "server", 4, "URL"),
            (text("server = \"http://notes.example.org:8080\""), "server", 4, "plain_http = true"),
            (text("server = \"http://192.0.2.1\"\nplain_http = false"), "server", 4, "plain_http = true"),
            (text("plain_http = \"yes\""), "plain_http", 4, "true or false"),
            (text("tls_ca = \"ca.pem\""), "tls_ca", 4, "absolute path"),
            (text("device = \"a/b\""), "device", 3, "'/'"),
            (text("poll_seconds = 0"), "poll_seconds", 4, "1 to 86400"),
            (text("poll_seconds = 1.5"), "poll_seconds", 4, "whole number"),
            (text("audit_minutes = 0"), "audit_minutes", 4, "1 to 10080"),
            (text("deletion_percent = 101"), "deletion_percent", 4, "0 to 100"),
            (text("disk_reserve_bytes = -1"), "disk_reserve_bytes", 4, "0 to"),
            (text("pol_seconds = 5"), "pol_seconds", 4, "no setting"),
            (text("api_token = \"x\""), "api_token", 4, "no setting"),
            (text("[records]\nfile_type = \"1a\""), "records.file_type", 5, "letter"),
            (text("[records]\nfile_typ = \"A\""), "records.file_typ", 5, "file_type"),
            (text("[merge]\ndefault = \"counter\""), "merge.default", 5, "\"newest\""),
            (text("[merge.types]\nNote = \"theirs\""), "merge.types.Note", 5, "\"remote\""),
            (text("[merge.fields.Note]\nvisits = \"sum\""), "merge.fields.Note.visits", 5, "\"counter\""),
            (text("records = 5"), "records", 4, "table"),
            (text("unfit_json = \"drop\""), "unfit_json", 4, "\"file\" or \"hold\""),
            (text("[types.1a]\nrequired = []"), "types.1a", 4, "letter"),
            (text("[types.Note]\nrequired = \"a\""), "types.Note.required", 5, "list of texts"),
            (text("[types.Note]\nrequired = [1]"), "types.Note.required", 5, "nothing but texts"),
            (text("[types.Note]\ndefault_asset = { a = \"../x\" }"), "types.Note.default_asset.a", nil, "relative"),
            (text("[types.Note]\nneeded = []"), "types.Note.needed", 5, "required, default_asset"),
        ] as [(String, String, Int?, String)])
    func faults(_ row: (text: String, key: String, line: Int?, says: String)) throws {
        let error = #expect(throws: StateError.self) { try FolderConfiguration(toml: row.text) }
        #expect(error?.code == .configuration)
        #expect(error?.line == row.line)
        let message = try #require(error?.message)
        #expect(message.contains("'\(row.key)'") && message.contains(row.says), "\(message)")
    }

    @Test("Text that is no TOML is refused with its line")
    func syntax() {
        let error = #expect(throws: StateError.self) { try FolderConfiguration(toml: "zone = \"a\"\ncontainer = \n") }
        #expect(error?.line == 2)
        #expect(error?.code == .configuration)
    }

    @Test("A folder without the file says so")
    func missing() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: StateError.self) { try FolderConfiguration(of: folder.state) }
        #expect(error?.code == .missing)
    }
}
