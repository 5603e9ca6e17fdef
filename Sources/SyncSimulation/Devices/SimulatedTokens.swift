import CloudKitClient
import Synchronization

/// The web auth token that a device has on its disk.
final class SimulatedTokens: WebAuthTokenStore {
    private let token: Mutex<WebAuthToken?>

    init(_ token: String) {
        self.token = Mutex(WebAuthToken(token))
    }

    /// Puts another one in its place, as `login` does while nothing runs.
    func exchange(_ new: WebAuthToken?) -> WebAuthToken? {
        token.withLock { token in
            defer { token = new }
            return token
        }
    }

    func current() async throws -> WebAuthToken? {
        token.withLock(\.self)
    }

    func store(_ token: WebAuthToken) async throws {
        self.token.withLock { $0 = token }
    }
}
