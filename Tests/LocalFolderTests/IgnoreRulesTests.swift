import LocalFolder
import SyncModel
import Testing

@Suite("Ignore rules")
struct IgnoreRulesTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var rules: String
        var path: FolderPath
        var isDirectory = false
        var ignored: Bool

        init(_ rules: String, _ path: FolderPath, directory: Bool = false, _ ignored: Bool) {
            self.rules = rules
            self.path = path
            self.isDirectory = directory
            self.ignored = ignored
        }

        var testDescription: String { "\(rules.debugDescription) \(ignored ? "ignores" : "keeps") \(path)" }
    }

    @Test(
        "Lines mean what they mean in gitignore(5)",
        arguments: [
            Row("foo", "foo", true), Row("foo", "a/b/foo", true), Row("foo", "foo/below", true),
            Row("foo", "food", false),
            Row("foo/", "foo", false), Row("foo/", "foo", directory: true, true), Row("foo/", "a/foo/b", true),
            Row("/foo", "foo", true), Row("/foo", "a/foo", false),
            Row("a/foo", "a/foo", true), Row("a/foo", "b/a/foo", false), Row("a/foo/", "a/foo/x", true),
            Row("*.log", "a/b.log", true), Row("*.log", "b.logs", false), Row("*.log", ".log", true),
            Row("/*.log", "a/b.log", false), Row("a/*.log", "a/b.log", true), Row("a/*.log", "a/b/c.log", false),
            Row("a?c", "abc", true), Row("a?c", "ac", false), Row("a?c", "a/c", false),
            Row("**/foo", "foo", true), Row("**/foo", "a/b/foo", true), Row("**/a/foo", "x/a/foo", true),
            Row("a/**", "a", directory: true, false), Row("a/**", "a/b", true), Row("a/**", "a/b/c", true),
            Row("a/**/b", "a/b", true), Row("a/**/b", "a/x/b", true), Row("a/**/b", "a/x/y/b", true),
            Row("a/**/b", "a/x/c", false), Row("a**b", "aXXb", true), Row("a**b", "aX/Xb", false),
            Row("a/**/b/**/c", "a/1/b/b/2/3/c", true), Row("a/**/b/**/c", "a/1/2/c", false),
            Row("[abc].txt", "b.txt", true), Row("[abc].txt", "d.txt", false), Row("[a-c]x", "bx", true),
            Row("[!a-c]x", "bx", false), Row("[!a-c]x", "dx", true), Row("[^a-c]x", "dx", true),
            Row("[]x]", "]", true), Row("[a-]", "-", true), Row("[[:digit:]]", "7", true),
            Row("[[:digit:]x]", "x", true), Row("[[:upper:]]", "a", false), Row("[\\]]", "]", true),
            Row("[a", "[a", false), Row("[a", "a", false), Row("a\\", "a", false), Row("a\\", "a\\", false),
            Row("\\*", "*", true), Row("\\*", "x", false), Row("\\#x", "#x", true), Row("#x", "#x", false),
            Row("\\!x", "!x", true), Row("!x", "!x", false), Row("a b ", "a b", true), Row("a\\ ", "a ", true),
            Row("a\\ ", "a", false), Row("a  ", "a", true), Row("a\r", "a", true), Row("", "a", false),
            Row("/", "a", false),
            Row("*.log\n!keep.log", "keep.log", false), Row("*.log\n!keep.log", "x.log", true),
            Row("!keep.log\n*.log", "keep.log", true), Row("a/\n!a/keep", "a/keep", true),
            Row("a/*\n!a/keep", "a/keep", false), Row("*\n!*/\n!*.json", "a/b.json", false),
            Row("*\n!*/\n!*.json", "a/b.txt", true), Row("\u{FEFF}a", "a", true), Row("Ä", "ä", false),
            Row("caf\u{e9}", "cafe\u{301}", false), Row("caf?", "caf\u{e9}", false), Row("caf??", "caf\u{e9}", true),
            Row("*a*a*a*a*a*a*a*a*a*b", FolderPath(String(repeating: "a", count: 200))!, false),
            Row("**/**/**/x", "a/b/c/x", true), Row("a//b", "a/b", false),
        ])
    func lines(row: Row) {
        let rules = IgnoreRules(text: row.rules.utf8)
        #expect(rules.isIgnored(row.path, isDirectory: row.isDirectory) == row.ignored)
    }

    @Test("A line can hold any byte")
    func anyByte() throws {
        let rules = IgnoreRules(text: [0x61, 0xFF, 0x2A])
        let name = try #require(FolderPath(bytes: [0x61, 0xFF, 0xFE]))
        #expect(rules.isIgnored(name, isDirectory: false))
        #expect(!rules.isIgnored("a", isDirectory: false))
    }

    @Test(
        "What editors and other programs leave while they write is left out",
        arguments: [
            "4913", "a/4913", ".a.txt.swp", ".a.txt.swo", ".a.txt.swx", ".a.txt.swpx", ".swp", "a.txt~", "#a.txt#",
            ".#a.txt", ".goutputstream-ABC123", ".~lock.a.odt#", "lu12ab.tmp", "~$a.docx", "a.json___jb_tmp___",
            "a.json___jb_old___", ".a.txt.kate-swp", "sedAb3dEf", "a/sed0aaaaa", "film.mkv.crdownload", "a.part",
            ".nfs0000000001", ".fuse_hidden0001", ".git/index.lock", "a/.git/refs/heads/main.lock", ".DS_Store",
            "a.conflict-20260115T101112Z-laptop.json", "Note/a.conflict-20260115T101112Z-laptop-2.json",
            ".zonefolder", ".zonefolder/state.sqlite", "a/.zonefolder/credentials",
        ] as [FolderPath])
    func traces(path: FolderPath) throws {
        let rule = try #require(IgnoreRules().rule(ignoring: path, isDirectory: false))
        #expect(rule.line == nil)
        #expect(rule.reason != nil)
    }

    @Test(
        "A person's files are not taken for traces",
        arguments: [
            "a.txt", "sedatives", "sedan", "sed", "14913", "49130", "a~b", "#channel", ".hidden", ".profile", "a.lock",
            "Gemfile.lock", ".git/HEAD", "lunch.tmp", "party", "a.swp", ".zonefolderignore", ".zonefolde",
            "a/.zonefolderignore", "a.conflict-notes.txt", "conflict.json", ".gitignore", "zonefolder",
        ] as [FolderPath])
    func others(path: FolderPath) {
        #expect(IgnoreRules().rule(ignoring: path, isDirectory: false) == nil)
    }

    @Test(
        "What is surely a secret is left out at any depth, and told",
        arguments: [
            (".ssh", true), ("home/.ssh", true), (".ssh/config", false), (".gnupg", true),
            ("a/.gnupg/trustdb.gpg", false),
            ("key.pem", false), ("a/b/server.PEM.pem", false), ("AuthKey_1.p8", false), ("me.p12", false),
            ("me.pfx", false), ("putty.ppk", false), ("id_rsa", false), ("keys/id_ed25519", false),
            ("id_ecdsa_sk", false), (".netrc", false), ("a/.git-credentials", false), (".pgpass", false),
            (".aws/credentials", false), ("home/.aws/credentials", false), ("home/.kube/config", false),
            ("a/SERVER.PEM", false), ("Me.P12", false), ("authkey.P8", false), ("ID_RSA", false), (".SSH", true),
            (".AWS/Credentials", false),
        ] as [(FolderPath, Bool)])
    func secrets(path: FolderPath, isDirectory: Bool) throws {
        let rule = try #require(IgnoreRules().rule(ignoring: path, isDirectory: isDirectory))
        #expect(rule.isTold && rule.line == nil && rule.reason != nil)
        let allowing = IgnoreRules(text: "!\(rule.text)\n!config\n!trustdb.gpg\n".utf8)
        #expect(!allowing.isIgnored(path, isDirectory: isDirectory))
    }

    @Test("A line in the words of a rule about secrets fits what the rule fits; any other tells letter case")
    func secretWords() {
        func isIgnored(_ path: FolderPath, _ lines: String) -> Bool {
            IgnoreRules(text: lines.utf8).isIgnored(path, isDirectory: false)
        }
        for lines in ["!*.pem", "!*.pem \r\n", "!*.PEM", "!a.PEM"] { #expect(!isIgnored("a.PEM", lines)) }
        for lines in ["", "!*.Pem", "!a.pem", "!/*.pem"] { #expect(isIgnored("a.PEM", lines)) }
        #expect(isIgnored("a.log", "*.log") && !isIgnored("a.LOG", "*.log") && !isIgnored("a.PART", ""))
        // It is the person's own then, and no more to be told.
        let rule = IgnoreRules(text: "*.pem\n".utf8).rule(ignoring: "a.PEM", isDirectory: false)
        #expect(rule?.line == 1 && rule?.isTold == false)
    }

    @Test(
        "What has a name like a secret's and may be anything is synced",
        arguments: [
            "talk.key", ".env", ".npmrc", "id_rsa.pub", "id_rsa.txt", "known_hosts", "passwords.kdbx", "pem", "pem.txt",
            "server.key", ".pypirc", ".docker/config.json", ".config/gh/hosts.yml", "ID_RSA.pub", "a.PEM.txt",
            ".sshrc", "ssh/config", "credentials", "config", "aws/credentials", "a.crt", "a.asc", "a.gpg", ".ssh",
        ] as [FolderPath])
    func ordinary(path: FolderPath) {
        #expect(IgnoreRules().rule(ignoring: path, isDirectory: false) == nil)
    }

    @Test(
        "Nothing whose name begins like the state directory's is synced, at any depth and in any letter case",
        arguments: [
            (".zonefolder.bak", true), (".zonefolder.bak/credentials", false), ("a/.zonefolder2", false),
            ("a/.zonefolder-old/b/c", false), (".zonefolderignore.old", false), (".ZoneFolder", true),
            (".ZONEFOLDERIGNORE", false), (".zonefolderignore", true), (".zonefolderignore/a", false),
        ] as [(FolderPath, Bool)])
    func reserved(path: FolderPath, isDirectory: Bool) throws {
        let rules = IgnoreRules(text: "!*\n!.zonefolder*\n!/\(path)\n".utf8)
        let rule = try #require(rules.rule(ignoring: path, isDirectory: isDirectory))
        #expect(rule.isTold && rule.reason?.contains("zonefolder's own") == true)
    }

    @Test("A scan tells of secrets and of kept names, not of what is below them, nor of a person's own lines")
    func told() throws {
        let folder = try TemporaryFolder()
        for name in [".ssh/id_rsa", "a/key.pem", "b/.zonefolder.bak/credentials", "x.log", "y.part", "keep.txt"] {
            try folder.write("x", to: name)
        }
        let rules = IgnoreRules(text: "*.log\n".utf8)
        let found = folder.scan(rules: rules)
        #expect(Set(found.leftOut.map(\.path)) == [".ssh", "a/key.pem", "b/.zonefolder.bak"])
        #expect(found.files.map(\.path) == ["keep.txt"])
        #expect(
            Set(folder.scan(.paths([".ssh/id_rsa", "a/key.pem"]), rules: rules).leftOut.map(\.path)) == ["a/key.pem"])
        #expect(
            folder.scan(rules: IgnoreRules(text: "*.pem\n.ssh/\n".utf8)).leftOut.map(\.path) == ["b/.zonefolder.bak"])
    }

    @Test("A directory is never left out for looking like a trace")
    func directories() {
        for path in ["4913", "a~", "x.part", "sedAb3dEf"] as [FolderPath] {
            #expect(!IgnoreRules().isIgnored(path, isDirectory: true))
        }
    }

    @Test("A line takes a built-in rule back, but neither the state directory nor conflict copies")
    func takenBack() {
        let rules = IgnoreRules(text: "!*.part\n!.zonefolder\n!.zonefolder/**\n!*".utf8)
        #expect(!rules.isIgnored("a.part", isDirectory: false))
        #expect(!rules.isIgnored("a~", isDirectory: false))
        #expect(rules.isIgnored(".zonefolder", isDirectory: true))
        #expect(rules.isIgnored(".zonefolder/x", isDirectory: false))
        #expect(rules.isIgnored("a.conflict-20260115T101112Z-laptop.json", isDirectory: false))
    }

    @Test(
        "No line leaves the rules themselves out, for a device that lacks them sends what they name",
        arguments: [".*", "*", "/.zonefolderignore", ".zonefolderignore", "*ignore", "**"])
    func rulesThemselves(line: String) {
        let rules = IgnoreRules(text: line.utf8)
        let rule = { (path: FolderPath, isDirectory: Bool) in rules.rule(ignoring: path, isDirectory: isDirectory)?.text
        }
        #expect(rule(".zonefolderignore", false) == nil)
        // One in a directory below says nothing, and a directory of that name is none.
        #expect(rule("a/.zonefolderignore", false) == (line == "/.zonefolderignore" ? nil : line))
    }

    @Test("A walk finds the rules that would leave themselves out")
    func walked() throws {
        let folder = try TemporaryFolder()
        try folder.write(".*\n", to: ".zonefolderignore")
        try folder.write("x", to: ".hidden")
        let rules = try IgnoreRules.read(from: folder.root)
        let files = { folder.scan($0, rules: rules).files.map(\.path) }
        #expect(files(.whole) == [".zonefolderignore"])
        #expect(files(.paths([".zonefolderignore", ".hidden"])) == [".zonefolderignore"])
    }

    @Test("The rule that leaves a path out is told with its line")
    func rule() throws {
        let rules = IgnoreRules(text: "# mine\n\n*.log\nbuild/\n[x\n".utf8)
        #expect(rules.rule(ignoring: "a/b.log", isDirectory: false)?.line == 3)
        #expect(rules.rule(ignoring: "build/a/b", isDirectory: false)?.text == "build/")
        #expect(rules.invalidLines == [5])
    }

    @Test("Rules that are there and cannot be read are an error, not an empty list")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        #expect(try !IgnoreRules.read(from: folder.root).isIgnored("a.log", isDirectory: false))
        try folder.write("*.log\n", to: ".zonefolderignore")
        #expect(try IgnoreRules.read(from: folder.root).isIgnored("a.log", isDirectory: false))
        folder.remove(".zonefolderignore")
        try folder.makeDirectories(".zonefolderignore")
        #expect(throws: FolderError.self) { try IgnoreRules.read(from: folder.root) }
    }

    @Test("Their text makes the same rules again")
    func text() {
        let lines = "a.txt\n# a remark\n!b/\n/c\\ \n\n[\n*.key\r\n"
        let rules = IgnoreRules(text: lines.utf8)
        let again = IgnoreRules(text: rules.text.utf8)
        #expect(rules.text == "a.txt\n!b/\n/c\\ \n*.key\n")
        #expect(again.contain(rules) && rules.contain(again))
        #expect(again.text == rules.text)
        #expect(IgnoreRules().text.isEmpty)
        #expect(rules.adding(IgnoreRules(text: "d\n".utf8)).text == rules.text + "d\n")
    }

    @Test(
        "Rules with more lines leave out more, unless one of these takes something back or the order is another one",
        arguments: [
            ("a\nb\n", "a\n", true), ("b\na\n", "a\n", true), ("a\n", "a\nb\n", false), ("a\n", "", true),
            ("a\n!b\n", "a\n", false), ("!b\na\n", "!b\n", true), ("a\n!a\n", "!a\na\n", false),
            ("b\na\n", "a\nb\n", false),
        ])
    func more(_ lines: String, than others: String, isMore: Bool) {
        #expect(IgnoreRules(text: lines.utf8).contain(IgnoreRules(text: others.utf8)) == isMore)
    }
}
