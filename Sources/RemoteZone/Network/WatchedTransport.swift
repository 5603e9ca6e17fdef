package import CloudKitClient

/// A transport whose requests tell how the servers can be reached.
package struct WatchedTransport: CloudKitTransport {
    let transport: any CloudKitTransport
    let network: NetworkReach

    /// Tells of each request to a transport.
    package init(transport: any CloudKitTransport, network: NetworkReach) {
        self.transport = transport
        self.network = network
    }

    package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let server = ServerOrigin(of: request.url)
        // A courier holds its answer back.
        let number = request.lane == .courier ? nil : server.map(network.asked)
        do {
            let response = try await transport.send(request)
            note(response, to: number, of: server)
            return response
        } catch {
            note(error, to: number, of: server)
            throw error
        }
    }

    package func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        let server = ServerOrigin(of: request.url)
        let number = server.map(network.asked)
        do {
            let response = try await transport.download(request, into: sink)
            note(response, to: number, of: server)
            return response
        } catch {
            note(error, to: number, of: server)
            throw error
        }
    }

    private func note(_ response: TransportResponse, to number: Int?, of server: ServerOrigin?) {
        guard let server else { return }
        guard response.isOfGateway else { return network.answered(number, by: server) }
        network.failed(number, at: server, nil, because: "HTTP \(response.status)")
    }

    private func note(_ error: TransportError, to number: Int?, of server: ServerOrigin?) {
        guard let server else { return }
        network.failed(number, at: server, error.code, because: error.message)
    }
}
