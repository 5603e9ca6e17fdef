/// One request of CloudKit Web Services, to be made with a folder's credentials.
///
/// A daemon makes it for others: its web auth token changes with every answer, so two processes that each use it would
/// sign each other out.
public struct DatabaseCall: Codable, Hashable, Sendable {
    /// `public`, `private` or `shared`, of the folder's container and environment.
    public var database: String
    /// Such as `records/query`.
    public var operation: String
    /// A JSON object; `nil` makes the request a GET.
    public var body: String?

    /// A request to one of the container's databases.
    public init(database: String, operation: String, body: String?) {
        self.database = database
        self.operation = operation
        self.body = body
    }
}
