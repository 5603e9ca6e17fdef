#if canImport(Glibc)
    import Glibc
#endif

/// The environment variables that this program reads.
struct ProgramEnvironment: Sendable {
    /// Where systemd wants to be told.
    var notifySocket: String?
    /// How often systemd wants to be told that this process lives: half of what it allows (sd_watchdog_enabled(3)).
    var watchdogInterval: Duration?
    var runtimeDirectory: String?
    var apiToken: String?
    var temporaryDirectory: String
    /// Where programs keep a user's data, where that is said.
    var dataHome: String?
    /// Where a person's programs keep what is no setting; `home` is where that is looked for otherwise.
    var stateHome: String?
    var home: String
    /// What a person edits texts with; a line of the shell.
    var editor: String?
    /// Whether a person wants no colours (no-color.org), or has a terminal without any.
    var isPlain: Bool
    /// Whether a browser could show itself.
    var hasDesktop: Bool

    /// Those of this process.
    static let current = ProgramEnvironment(
        notifySocket: variable("NOTIFY_SOCKET"),
        watchdogInterval: watchdogInterval(
            microseconds: variable("WATCHDOG_USEC"), process: variable("WATCHDOG_PID"), own: getpid()),
        runtimeDirectory: variable("XDG_RUNTIME_DIR"),
        apiToken: variable("ZONEFOLDER_API_TOKEN"), temporaryDirectory: variable("TMPDIR") ?? "/tmp",
        dataHome: variable("XDG_DATA_HOME"), stateHome: variable("XDG_STATE_HOME"),
        home: variable("HOME") ?? getpwuid(geteuid())?.pointee.pw_dir.map { String(cString: $0) } ?? "/",
        editor: variable("VISUAL") ?? variable("EDITOR"),
        isPlain: variable("NO_COLOR") != nil || variable("TERM") == "dumb",
        hasDesktop: variable("DISPLAY") != nil || variable("WAYLAND_DISPLAY") != nil)

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Parameters:
    ///   - microseconds: The time after which a process that told nothing counts as hung.
    ///   - process: The one that is asked for it; every one where it is left out.
    static func watchdogInterval(microseconds: String?, process: String?, own: Int32) -> Duration? {
        guard let limit = microseconds.flatMap({ Int64($0) }), limit > 1 else { return nil }
        guard process == nil || process.flatMap({ Int32($0) }) == own else { return nil }
        return .microseconds(limit / 2)
    }
}
