/// What the exit statuses of each command mean, which ends its `--help` and its page of the manual.
enum ExitStatusTable {
    struct Row: Hashable {
        var status: ExitStatus
        var meaning: String
    }

    /// The commands by the words that name them, each without the program's own name; the program itself has none.
    static var commands: Set<String> { Set(own.keys) }

    /// The exit statuses of a command, the lowest first; `nil` where there is no such command.
    static func rows(of command: String) -> [Row]? {
        own[command].map { own in
            common.merging(own) { $1 }.map { Row(status: $0, meaning: $1) }
                .sorted { $0.status.code < $1.status.code }
        }
    }

    /// The help of a command with its exit statuses at the end; another text as it is.
    static func completing(_ text: String) -> String {
        guard let command = command(ofHelp: text), let rows = rows(of: command) else { return text }
        let lines = rows.map { "  \("\($0.status.code)".padded(to: 3)) \($0.meaning)\n" }
        return text + (text.hasSuffix("\n") ? "" : "\n") + "\nEXIT STATUS:\n" + lines.joined()
    }

    /// The command that a help is of: its usage begins with the words that name it.
    private static func command(ofHelp text: String) -> String? {
        let start = "USAGE: zonefolder"
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(start) }) else { return nil }
        let words = line.dropFirst(start.count).split(separator: " ")
        return (0...words.count).reversed().lazy.map { words.prefix($0).joined(separator: " ") }
            .first { own[$0] != nil }
    }

    // MARK: The table

    private static let common: [ExitStatus: String] = [
        .done: "Done.", .error: "An error.", .usage: "A mistake in the command line.",
    ]

    /// Of commands that are about a folder.
    private static let folder: [ExitStatus: String] = [
        .configuration: "The folder is no synced one, or its configuration is at fault."
    ]
    /// Of those that ask its daemon.
    private static let daemon = folder.adding([.notRunning: "No daemon runs."])
    /// Of those that end with a verdict.
    private static let verdict = folder.adding([
        .done: "In sync.", .pending: "Something is pending, or the server cannot be reached.",
        .attention: "There are conflicts, or files that are held; or the path is not synced.",
        .unknown: "Degraded, or not known.",
        .approvalNeeded: "A deletion waits for approve or reject.",
    ])
    /// Of those that start a daemon.
    private static let starting = folder.adding([.unknown: "The daemon runs, but did not answer in time."])
    /// Of those that change the configuration.
    private static let changing = folder.adding([
        .unknown: "It is changed, but the daemon did not answer by it.",
        .approvalNeeded: "Another zone would be meant; nothing was changed.",
    ])
    /// Of those that are about a server's container.
    private static let container: [ExitStatus: String] = [
        .configuration: "What was given as a container's name can be none."
    ]
    /// Of those that need an account.
    private static let account = folder.adding([.configuration: "What was given, or the sign-in, is at fault."])

    private static let own: [String: [ExitStatus: String]] = [
        "": [
            .done: "Done, or in sync.", .pending: "Something is pending.",
            .attention: "There are conflicts, or files that are held.", .notRunning: "No daemon runs.",
            .unknown: "Degraded, or not known.", .approvalNeeded: "An approval is needed.",
            .configuration: "The configuration is at fault.",
        ],
        // Set up
        "init": account.adding([.unknown: "With --start: the daemon did not answer in time."]),
        "login": account, "logout": folder,
        "serve": container, "serve run": container, "serve invite": container,
        "serve user": [:], "serve user add": container, "serve user list": container, "serve user role": container,
        "serve user password": container, "serve user sign-out": container, "serve user remove": container,
        "serve token": [:], "serve token add": container, "serve token list": container,
        "serve token revoke": container,
        "serve key": [:], "serve key add": container, "serve key list": container, "serve key revoke": container,
        "serve backup": [.attention: "It is made, but without files that the server itself has lost."],
        "serve check": [.done: "Nothing is lost.", .attention: "Something is missing or damaged."],
        "schema": [:], "schema export": container, "schema import": container,
        "schema validate": [.error: "The schema has mistakes, or cannot be read."],
        "schema diff": container.adding([.done: "Nothing would change.", .pending: "Something would change."]),
        "schema index": container, "schema promote": container, "schema template": [:],
        "demo": [.error: "Not every step came about."],
        "config": changing.adding([.notRunning: "No daemon runs that could be told."]),
        "config list": folder,
        "config get": folder.adding([.error: "The setting has no value, or an error."]),
        "config set": changing, "config unset": changing, "config edit": changing,
        "config check": folder.adding([.configuration: "Something is wrong in it, or the folder is no synced one."]),
        "config reload": daemon.adding([
            .notRunning: "No daemon runs; what the file says holds from the next start on.",
            .unknown: "The daemon did not answer by it.",
        ]),
        "reset": starting,
        "remove": folder.adding([
            .pending: "Something waits to be sent, or may; nothing was removed.",
            .attention: "Something waits for a person; nothing was removed.",
        ]),
        // Sync
        "start": starting, "stop": daemon, "run": folder, "sync": verdict, "pause": folder, "resume": folder,
        // Look
        "status": verdict.adding([.notRunning: "No daemon runs."]), "plan": daemon,
        "conflicts": folder.adding([.done: "There are none.", .attention: "There are conflicts."]),
        "resolve": folder.adding([.attention: "Nothing was edited, so the conflict stays."]),
        "events": folder,
        "ignore": folder.adding([
            .done: "The path is left out.", .error: "The path is not left out.", .unknown: "The rules cannot be read.",
        ]),
        "doctor": folder.adding([
            .done: "All is well.", .attention: "Something keeps files from being synced.",
            .unknown: "Something works less well than it could.",
        ]),
        "metrics": daemon.adding([
            .error: "A daemon does not answer, or an error.", .notRunning: "No daemon syncs one of the folders.",
        ]),
        // Undo
        "history": folder, "diff": folder,
        "restore": folder.adding([.error: "A file could not be brought back."]),
        "approve": daemon, "reject": daemon,
        // Share
        "share": folder, "accept": account,
        // Ask the database
        "record": [:], "record get": folder, "record put": folder, "record delete": folder, "query": folder,
        "zones": folder, "subscriptions": folder,
    ]
}

extension [ExitStatus: String] {
    fileprivate func adding(_ others: Self) -> Self { merging(others) { $1 } }
}
