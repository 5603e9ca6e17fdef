/// Carries requests to the API host, the content host and the courier.
///
/// The daemon hands in ``HTTPTransport``; tests and the simulation hand in their own. A transport knows nothing of
/// CloudKit: any answer, also a 500 with HTML, is a response and no error.
public protocol CloudKitTransport: Sendable {
    /// Sends a request and collects the answer's body, which is small for all but assets.
    /// - Throws: ``TransportError`` when no complete answer came back.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse

    /// Sends a request and hands the body of a 200 on in pieces, each asked for only after the last one was taken.
    ///
    /// With any other status the sink gets nothing, and the body's beginning is in the response.
    /// - Throws: ``TransportError`` when the answer broke off; the sink may have had a part of it by then.
    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse

    /// The same transport, with an authority trusted besides the system's for all connections: to the API, the content
    /// host and the courier. One without TLS gives itself.
    func trusting(_ authority: PrivateAuthority?) -> any CloudKitTransport
}

extension CloudKitTransport {
    /// Nobody vouches for anything where there is no TLS.
    public func trusting(_ authority: PrivateAuthority?) -> any CloudKitTransport { self }
}
