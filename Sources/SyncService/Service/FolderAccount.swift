import CloudKitClient
import FolderSettings

/// The credentials of an open folder, in its file and in its requests.
struct FolderAccount: Sendable {
    let file: CredentialsFile
    let session: WebAuthSession

    /// - Parameter storesAside: Whether what an answer says is dealt with while its token is written (``WebAuthSession``).
    init(of directory: StateDirectory, storesAside: Bool = false) throws {
        file = try CredentialsFile(of: directory)
        session = WebAuthSession(
            apiToken: file.credentials.apiToken, store: StoredWebAuthToken(file: file), storesAside: storesAside)
    }

    /// Goes over to other credentials; durable when it returns.
    package func replace(with credentials: Credentials) async throws {
        try await session.replace(
            apiToken: credentials.apiToken, token: credentials.webAuthToken.map { WebAuthToken($0) }
        ) { [file] in
            try file.replace(with: credentials)
        }
    }
}

/// Keeps the newest web auth token in the credentials file.
struct StoredWebAuthToken: WebAuthTokenStore {
    let file: CredentialsFile

    func current() async throws -> WebAuthToken? {
        try file.reload()
        return file.credentials.webAuthToken.map { WebAuthToken($0) }
    }

    func store(_ token: WebAuthToken) async throws {
        try file.store(webAuthToken: token.rawValue)
    }
}
