import CloudKitClient
import SystemPackage

/// A sign-in that cannot be kept while a test wants so.
actor FaultyTokenStore: WebAuthTokenStore {
    private var token: WebAuthToken?
    private var error: Errno?

    init(_ token: WebAuthToken) { self.token = token }

    /// Lets every saving fail, or none.
    func fail(with error: Errno?) { self.error = error }

    func current() -> WebAuthToken? { token }

    func store(_ token: WebAuthToken) throws {
        if let error { throw error }
        self.token = token
    }
}
