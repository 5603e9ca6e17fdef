import CloudKitClient
import CloudKitWire
import FolderSettings
import Logging
import StateStorage
import SyncService

/// Asks the server who is signed in, so that a wrong value is named before anything depends on it.
enum AccountCheck {
    /// - Parameter credentials: Get the newest web auth token: the question may have spent the one that was given.
    /// - Returns: The user record name.
    /// - Throws: ``CommandFailure`` that names what is wrong: server, container, tokens, or nobody signed in.
    static func ask(_ configuration: FolderConfiguration, _ credentials: inout Credentials) async throws -> String {
        let tokens = InMemoryTokenStore(credentials.webAuthToken.map { WebAuthToken($0) })
        let (outcome, isShared) = try await caller(configuration, credentials.apiToken, tokens)
        guard !isShared else { throw CommandFailure.usedWebAuthToken }
        let hadWebAuthToken = credentials.webAuthToken != nil
        credentials.webAuthToken = await tokens.current()?.rawValue ?? credentials.webAuthToken
        let server = configuration.server
        switch AccountStatus(outcome, known: nil) {
        case .available(let name), .switched(_, let name): return name
        case .noAccount(let url):
            guard case .failure(let error) = outcome else { throw CommandFailure.notSignedIn(url) }
            throw AccountRefusal.failure(error, server: server, hadWebAuthToken: hadWebAuthToken)
        case .restricted(let reason), .temporarilyUnavailable(let reason):
            throw CommandFailure.serverSays(reason ?? "the account may not be used.", server: server)
        case .couldNotDetermine(let reason):
            if case .failure(let error) = outcome, case .server = error.code {
                throw CommandFailure.serverSays(reason, server: server)
            }
            throw failure(outcome, reason, server: server)
        }
    }

    /// Uses the stored web auth token once, so that the one that was given before it opens nothing soon, and whoever is
    /// given that one, too, is told so at once.
    /// - Throws: ``CommandFailure`` where the server does not answer. The folder is set up all the same.
    static func claim(_ directory: StateDirectory, _ configuration: FolderConfiguration) async throws {
        var credentials = try CredentialsFile(of: directory).credentials
        _ = try await ask(configuration, &credentials)
        try CredentialsFile.create(credentials, in: directory)
    }

    /// Where to sign in, good for some minutes; `nil` where the server names no page.
    /// - Throws: ``CommandFailure`` that names what is wrong: server, container or API token.
    static func signInPage(_ configuration: FolderConfiguration, apiToken: String) async throws -> String? {
        let (outcome, _) = try await caller(configuration, apiToken, InMemoryTokenStore())
        switch AccountStatus(outcome, known: nil) {
        case .noAccount(let url?): return url
        case .noAccount:
            guard case .failure(let error) = outcome else { return nil }
            throw AccountRefusal.failure(error, server: configuration.server, hadWebAuthToken: false)
        case .couldNotDetermine(let reason):
            throw failure(outcome, reason, server: configuration.server)
        default:
            guard let reason = reason(outcome) else { return nil }
            throw CommandFailure.serverSays(reason, server: configuration.server)
        }
    }

    private static func caller(
        _ configuration: FolderConfiguration, _ apiToken: String, _ tokens: InMemoryTokenStore
    ) async throws -> (Result<UserIdentity, CloudKitError>, isShared: Bool) {
        let authority = try configuration.privateAuthority
        let transport = HTTPTransport()
        let watch = TokenUseWatch(transport.trusting(authority))
        let database = CloudKitDatabase(
            DatabaseAddress(
                container: configuration.container,
                environment: configuration.environment == .production ? .production : .development, scope: .private,
                baseURL: configuration.server),
            session: WebAuthSession(apiToken: apiToken, store: tokens),
            transport: watch,
            logger: ProgramLog.quiet)
        let outcome: Result<UserIdentity, CloudKitError>
        do throws(CloudKitError) {
            outcome = .success(try await database.caller())
        } catch {
            outcome = .failure(error)
        }
        try await transport.shutdown()
        return (outcome, watch.sawSucceededToken)
    }

    /// Why the question got no answer.
    private static func failure(
        _ outcome: Result<UserIdentity, CloudKitError>, _ reason: String, server: String
    ) -> CommandFailure {
        if case .failure(let error) = outcome, error.code == .transport(.untrusted) { return .untrusted(reason) }
        return .serverUnreachable(reason, server: server)
    }

    private static func reason(_ outcome: Result<UserIdentity, CloudKitError>) -> String? {
        if case .failure(let error) = outcome { error.message } else { nil }
    }
}
