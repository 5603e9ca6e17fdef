import ArgumentParser
import FolderSettings
import StateStorage

#if canImport(Glibc)
    import Glibc
#endif

/// How a sign-in through the browser goes.
struct BrowserOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where on this machine the browser's way back ends; the API token's callback must name the same port.",
            valueName: "port"))
    var port: UInt16 = LoginCallback.defaultPort

    @Flag(help: "Only print the sign-in page's URL.")
    var noBrowser = false

    /// Gets a web auth token: from the browser's way back, or from what the person pastes.
    func signIn(_ configuration: FolderConfiguration, apiToken: String) async throws -> String {
        guard let page = try await AccountCheck.signInPage(configuration, apiToken: apiToken) else {
            throw CommandFailure.noSignInPage(configuration.server)
        }
        let listener = try LoginListener(port: port)
        StandardError.print(
            """
            Sign in here:

              \(page)

            This goes on by itself afterwards. If it does not, paste here the URL at which the browser ended, or the token \
            that the page shows.
            """)
        if !noBrowser, ProgramEnvironment.current.hasDesktop { DesktopBrowser.open(page) }
        return try listener.token(within: .seconds(LoginCallback.patienceSeconds))
    }
}

/// Where a sign-in through the browser ends on this machine.
enum LoginCallback {
    static let defaultPort: UInt16 = 7437
    /// As long as a sign-in page's URL is good (protocol §2.1).
    static let patienceSeconds = 15 * 60

    /// The callback of API tokens that are made for this program.
    static let defaultURL = "http://127.0.0.1:\(defaultPort)/"
}

/// The person's browser.
enum DesktopBrowser {
    /// Opens a page, or does nothing where that cannot be done: its URL was printed.
    ///
    /// Others see the URL in the list of processes: it leads to a sign-in page, and opens nothing.
    static func open(_ url: String) {
        // The server's word is not trusted with anything but a page.
        guard url.hasPrefix("https://") || url.hasPrefix("http://") else { return }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in Int32(0)...2 { posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0) }
        let arguments: [String] = ["xdg-open", url]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        _ = posix_spawnp(&pid, "xdg-open", &actions, nil, &words, environ)
    }
}
