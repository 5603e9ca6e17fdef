import ArgumentParser
import CloudKitClient
import StateStorage
import SystemPackage

/// The two tokens, as `init` and `login` take them.
struct TokenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The container's API token; where left out, that of ZONEFOLDER_API_TOKEN, which other users cannot read.",
            valueName: "token"))
    var apiToken: String?

    @Option(
        help: ArgumentHelp(
            "A file whose first line is the web auth token of a sign-in; - reads standard input.", valueName: "file"),
        completion: .file())
    var webAuthTokenFile: String?

    /// The given API token.
    var givenAPIToken: String? { apiToken ?? ProgramEnvironment.current.apiToken }

    /// Reads the web auth token, where one is given.
    func readWebAuthToken() throws -> String? {
        try webAuthTokenFile.map(SecretSource.read)
    }

    /// Puts the newest web auth token into the file that held the given one, which has served by now: for a command that
    /// failed. After one that did not, the folder has the newest, and no two may use one.
    func keep(_ newest: String?, insteadOf given: String?) {
        guard let webAuthTokenFile, webAuthTokenFile != "-", let newest, newest != given else { return }
        let path = FilePath(webAuthTokenFile)
        // What comes through a pipe has no place for the next one.
        guard PlainFiles.isFile(path) else { return }
        do {
            try TokenFile.put(WebAuthToken(newest), into: path)
        } catch {
            StandardError.print("zonefolder: \(error)")
        }
    }

    /// The web auth token that is given, or else one that is got in another way.
    func webAuthToken(otherwise get: () async throws -> String) async throws -> String {
        if let token = try readWebAuthToken() { token } else { try await get() }
    }
}
