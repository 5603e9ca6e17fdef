#if canImport(Glibc)
    import Glibc
#endif

/// The environment variables that this program reads.
struct ProgramEnvironment: Sendable {
    /// Where systemd wants to be told.
    var notifySocket: String?
    var runtimeDirectory: String?
    var apiToken: String?
    var temporaryDirectory: String
    /// Whether a browser could show itself.
    var hasDesktop: Bool

    /// Those of this process.
    static let current = ProgramEnvironment(
        notifySocket: variable("NOTIFY_SOCKET"), runtimeDirectory: variable("XDG_RUNTIME_DIR"),
        apiToken: variable("ZONEFOLDER_API_TOKEN"), temporaryDirectory: variable("TMPDIR") ?? "/tmp",
        hasDesktop: variable("DISPLAY") != nil || variable("WAYLAND_DISPLAY") != nil)

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
