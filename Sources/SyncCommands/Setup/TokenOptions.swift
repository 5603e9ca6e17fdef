import ArgumentParser
import StateStorage

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

    /// The web auth token that is given, or else one that is got in another way.
    func webAuthToken(otherwise get: () async throws -> String) async throws -> String {
        if let token = try readWebAuthToken() { token } else { try await get() }
    }
}
