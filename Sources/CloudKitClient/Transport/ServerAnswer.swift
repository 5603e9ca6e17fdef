import CloudKitWire
import HTTPTypes
import WireCoding

/// That a server answers at all, whether it is CloudKit's kind, and what its clock says; nothing that needs a sign-in.
public struct ServerAnswer: Hashable, Sendable {
    /// Whatever it was: also a refusal is an answer.
    public var status: Int
    /// Whether the answer is a refusal in CloudKit's own form. A portal's page, a proxy's or another service's is none.
    public var isCloudKit: Bool
    /// The `Date` header, as it was sent.
    public var date: String?

    /// An answer to a question without credentials.
    public init(status: Int, isCloudKit: Bool, date: String?) {
        self.status = status
        self.isCloudKit = isCloudKit
        self.date = date
    }
}

extension CloudKitTransport {
    /// Asks a server who is signed in, with no credentials: CloudKit refuses that, in its own form (protocol §2, "No auth at
    /// all").
    /// - Throws: ``TransportError`` where no answer came.
    public func probe(_ address: DatabaseAddress) async throws(TransportError) -> ServerAnswer {
        let url = address.baseURL + address.path(of: .usersCaller)
        let response = try await send(TransportRequest(lane: .api, method: .get, url: url))
        let refusal = try? ErrorDictionary.decode(response.body)  // What is none is what is asked for.
        return ServerAnswer(
            status: response.status, isCloudKit: response.status != 200 && refusal != nil,
            date: response.headers[.date])
    }
}
