/// A web auth token: what proves the signed-in person. Opaque, and secret: it never shows in a description.
public struct WebAuthToken: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// As the service spells it, not percent-encoded.
    public let rawValue: String

    /// Takes a token from the sign-in page or from a response's header.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Byte by byte.
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// Byte by byte.
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
    }

    /// The same for every token.
    public var description: String { "<web auth token>" }
    /// The same for every token.
    public var debugDescription: String { description }
}

/// Where the newest web auth token survives a crash.
public protocol WebAuthTokenStore: Sendable {
    /// The token that was stored last, or `nil` before the first sign-in.
    func current() async throws -> WebAuthToken?
    /// Replaces the stored token; durable when it returns. Never called twice at the same time.
    func store(_ token: WebAuthToken) async throws
}

/// A store for tests and for one-off commands: it forgets with the process.
public actor InMemoryTokenStore: WebAuthTokenStore {
    private var token: WebAuthToken?

    /// Starts with a token, or signed out.
    public init(_ token: WebAuthToken? = nil) {
        self.token = token
    }

    /// The token that was stored last.
    public func current() -> WebAuthToken? { token }
    /// Replaces the token.
    public func store(_ token: WebAuthToken) { self.token = token }
}
