/// What is left out unless a line such as `!*.part` in `.zonefolderignore` takes the rule back: the traces that programs
/// leave while they write, and secrets.
///
/// A trace is always a file, so no directory is left out for looking like one. Not among them: `.git`, whose content is the
/// person's like any other, but for the lock files in it.
///
/// A secret has a name that hardly anything else has, in whatever letter case, and what is left out as one is told. Not among
/// them: `*.key`, as presentations are called too, `.env` and `.npmrc`, which mostly hold settings, and the files of password
/// managers, which are encrypted and meant to be carried about. A new one would end the syncing of files that are in zones
/// already.
enum BuiltInRules {
    static let all: [IgnoreRule] =
        traces.map { rule($0.text, $0.reason, filesOnly: true, isTold: false) }
        + secrets.map { rule($0.text, $0.reason, filesOnly: !$0.text.hasSuffix("/"), isTold: true) }

    /// Whether a line is a rule about a secret in that rule's own words, be it with a `!`: it fits whatever the rule fits, or
    /// else `!*.pem` would not let through what `*.pem` leaves out.
    static func isOfSecret(line: ArraySlice<UInt8>) -> Bool {
        var words = line
        if words.last == UInt8(ascii: "\r") { words.removeLast() }
        while words.last == UInt8(ascii: " ") { words.removeLast() }
        if words.first == UInt8(ascii: "!") { words.removeFirst() }
        return secretWords.contains(Array(words))
    }

    private static let secretWords = Set(secrets.map { Array($0.text.utf8) })

    private static func rule(_ text: String, _ reason: String, filesOnly: Bool, isTold: Bool) -> IgnoreRule {
        guard
            case .rule(let rule) = IgnoreRule.parse(
                text.utf8, number: nil, reason: reason, filesOnly: filesOnly, isTold: isTold, ignoringCase: isTold)
        else { preconditionFailure("the built-in rule \(text) can be read") }
        return rule
    }

    private static let secrets: [(text: String, reason: String)] = [
        (".ssh/", "it holds the keys of ssh"),
        (".gnupg/", "it holds the keys of GnuPG"),
        ("*.pem", "it may hold a private key"),
        ("*.p8", "it holds a private key"),
        ("*.p12", "it holds a private key"),
        ("*.pfx", "it holds a private key"),
        ("*.ppk", "it holds a private key"),
        ("id_rsa", "it is a private key of ssh"),
        ("id_dsa", "it is a private key of ssh"),
        ("id_ecdsa", "it is a private key of ssh"),
        ("id_ecdsa_sk", "it is a private key of ssh"),
        ("id_ed25519", "it is a private key of ssh"),
        ("id_ed25519_sk", "it is a private key of ssh"),
        (".netrc", "it holds passwords"),
        (".git-credentials", "it holds passwords"),
        (".pgpass", "it holds passwords"),
        ("**/.aws/credentials", "it holds access keys"),
        ("**/.kube/config", "it holds access keys"),
    ]

    private static let traces: [(text: String, reason: String)] =
        [
            ("4913", "vim tries whether it may write"),
            (".*.sw?", "vim's swap file"),
            (".sw?", "vim's swap file of a file without a name"),
            (".*.swpx", "vim's swap file"),
            ("*~", "an editor's backup"),
            ("\\#*#", "emacs saves by itself"),
            (".#*", "emacs locks a file"),
            (".goutputstream-*", "GLib writes a file (gedit and other GNOME programs)"),
            (".~lock.*#", "LibreOffice locks a file"),
            ("lu[0-9]*.tmp", "LibreOffice writes a file"),
            ("~$*", "Microsoft Office locks a file"),
            ("*___jb_*", "a JetBrains editor writes a file"),
            (".*.kate-swp", "kate's swap file"),
            ("*.crdownload", "a download goes on"),
            ("*.part", "a download goes on"),
            (".nfs[0-9a-f]*", "NFS keeps a deleted file that is open"),
            (".fuse_hidden*", "FUSE keeps a deleted file that is open"),
            ("**/.git/**/*.lock", "git locks one of its files"),
            ("**/.git/objects/**/tmp_obj_*", "git writes an object"),
            (".DS_Store", "macOS keeps a window's layout"),
        ] + sedNames.map { ($0, "sed -i writes a file") }

    /// `sed` and six letters and digits, with a digit or a capital among them, so that `sedatives` is synced.
    private static let sedNames = (0..<6).map { place in
        "sed" + (0..<6).map { $0 == place ? "[A-Z0-9]" : "[A-Za-z0-9]" }.joined()
    }
}
