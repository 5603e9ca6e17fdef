/// What is never worth syncing: the traces that programs leave while they write.
///
/// All of them are of files only, so a directory is never left out by its name, and a line such as `!*.part` in
/// `.zonefolderignore` takes a rule back. Not among them: `.git`, whose content is the person's like any other, but
/// for the lock files in it.
enum BuiltInRules {
    static let all: [IgnoreRule] = patterns.map { pattern in
        guard
            case .rule(let rule) = IgnoreRule.parse(
                pattern.text.utf8, number: nil, reason: pattern.reason, filesOnly: true)
        else { preconditionFailure("the built-in rule \(pattern.text) can be read") }
        return rule
    }

    private static let patterns: [(text: String, reason: String)] =
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
