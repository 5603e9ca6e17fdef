import HTTPTypes

/// That a server answers at all, and what its clock says; nothing that needs a sign-in.
public struct ServerAnswer: Hashable, Sendable {
    /// Whatever it was: also a 404 is an answer.
    public var status: Int
    /// The `Date` header, as it was sent.
    public var date: String?

    /// An answer to a question for the root.
    public init(status: Int, date: String?) {
        self.status = status
        self.date = date
    }
}

extension CloudKitTransport {
    /// Asks a server for its root, with no credentials.
    /// - Parameter baseURL: Without a path.
    /// - Throws: ``TransportError`` where no answer came.
    public func probe(_ baseURL: String) async throws(TransportError) -> ServerAnswer {
        let response = try await send(TransportRequest(lane: .api, method: .get, url: baseURL + "/"))
        return ServerAnswer(status: response.status, date: response.headers[.date])
    }
}
