/// The secrets with which a folder speaks to its container.
public struct Credentials: Hashable, Sendable {
    /// The container's API token; nobody signs in without it.
    public var apiToken: String
    /// The newest web auth token; `nil` before the first sign-in and after a sign-out.
    public var webAuthToken: String?

    /// Takes the API token, and the web auth token of a sign-in.
    public init(apiToken: String, webAuthToken: String? = nil) {
        self.apiToken = apiToken
        self.webAuthToken = webAuthToken
    }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says which secrets are there, and never what they are.
    public var description: String {
        "Credentials(apiToken: …, webAuthToken: \(webAuthToken == nil ? "none" : "…"))"
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
