/// Which database: container, environment, scope, and the server that has it (protocol §1).
public struct DatabaseAddress: Hashable, Sendable {
    /// The three databases of a container.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        case `public`, `private`, shared

        /// As pushes spell it (`dbs`).
        public var pushNumber: Int {
            switch self {
            case .public: 1
            case .private: 2
            case .shared: 3
            }
        }
    }

    /// Development and production share nothing, neither data nor tokens.
    public enum Environment: String, Hashable, Sendable, CaseIterable {
        case development, production
    }

    /// Where Apple's service answers.
    public static let appleBaseURL = "https://api.apple-cloudkit.com"

    /// Scheme, host and port, without a slash at the end.
    public var baseURL: String
    /// Starts with `iCloud.`.
    public var container: String
    /// Development or production.
    public var environment: Environment
    /// Public, private or shared.
    public var scope: Scope

    /// Names a database; of Apple's service where no base URL is given.
    public init(
        container: String, environment: Environment, scope: Scope, baseURL: String = DatabaseAddress.appleBaseURL
    ) {
        self.container = container
        self.environment = environment
        self.scope = scope
        self.baseURL = String(baseURL.reversed().drop { $0 == "/" }.reversed())
    }

    /// The same container's database of another scope.
    public func with(scope: Scope) -> Self {
        var other = self
        other.scope = scope
        return other
    }

    /// The path of an operation, percent-encoded.
    func path(of operation: CloudKitOperation) -> String {
        let container = PercentEncoding.encode(container)
        let path =
            switch operation {
            case .tokensCreate, .tokensRegister: "/device/1/\(container)/\(environment.rawValue)"
            // Only the public database knows about users (protocol §1).
            case .usersCaller: "/database/1/\(container)/\(environment.rawValue)/public"
            default: "/database/1/\(container)/\(environment.rawValue)/\(scope.rawValue)"
            }
        return "\(path)/\(operation.rawValue)"
    }

    /// The URL of an operation, with credentials in its query: keep it out of logs.
    func url(of operation: CloudKitOperation, apiToken: String, webAuthToken: WebAuthToken?) -> String {
        var url = "\(baseURL)\(path(of: operation))?ckAPIToken=\(PercentEncoding.encode(apiToken))"
        if let webAuthToken { url += "&ckWebAuthToken=\(PercentEncoding.encode(webAuthToken.rawValue))" }
        return url
    }
}
