import AsyncHTTPClient
import FoundationEssentials
import HTTPTypes
public import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// The network: HTTP/1.1 over AsyncHTTPClient, one pool of connections for each lane.
///
/// Connections are kept for the next request. Failed connection attempts are not repeated here, so that the caller
/// learns at once that the network is gone; pacing is `RetrySchedule`'s. Call ``shutdown()`` at the end.
public struct HTTPTransport: CloudKitTransport {
    /// How long to wait for what.
    public struct Timeouts: Hashable, Sendable {
        /// For a connection, with its TLS.
        public var connect: Duration = .seconds(10)
        /// For a request to the API until its answer begins, and then without a byte of it.
        public var request: Duration = .seconds(60)
        /// Without a byte either way, on the content host. A big asset takes as long as it takes.
        public var idle: Duration = .seconds(60)
        /// For a courier that holds its answer back: longer than the service's own keep-alive.
        public var courier: Duration = .seconds(600)

        /// The timeouts of a daemon on an ordinary network.
        public init() {}
    }

    /// An answer holds at most 200 records of 1 MB, somewhat more as JSON.
    private static let maximumAnswerBytes = 512 << 20

    private let clients: [TransportRequest.Lane: HTTPClient]
    private let connections = OpenConnections()
    private let timeouts: Timeouts
    private let group: any EventLoopGroup
    private var authority: PrivateAuthority?
    /// `nil`: what the clients have.
    private var tls: TLSConfiguration?

    /// Opens nothing yet.
    /// - Parameter group: The threads to use, the process's own where absent.
    public init(timeouts: Timeouts = Timeouts(), group: (any EventLoopGroup)? = nil) {
        self.timeouts = timeouts
        self.group = group ?? HTTPClient.defaultEventLoopGroup
        var clients: [TransportRequest.Lane: HTTPClient] = [:]
        for lane in TransportRequest.Lane.allCases {
            var configuration = Self.configuration(for: lane, timeouts)
            configuration.http1_1ConnectionDebugInitializer = { [connections] channel in
                connections.add(channel)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            clients[lane] = HTTPClient(eventLoopGroup: self.group, configuration: configuration)
        }
        self.clients = clients
    }

    /// The same transport for servers for which an authority of one's own vouches; ``shutdown()`` of either is that of
    /// both.
    public func trusting(_ authority: PrivateAuthority?) -> any CloudKitTransport {
        var other = self
        other.authority = authority
        other.tls = authority.map { PrivateAuthority.configuration(trusting: $0) }
        return other
    }

    /// Closes idle connections and ends those in use; no request may follow.
    public func shutdown() async throws {
        var failure: (any Error)?
        for client in clients.values {
            do { try await client.shutdown() } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Makes a connection and ends it at once: the cheapest way to learn whether a server can be reached.
    /// - Parameter limit: After which it is given up.
    /// - Throws: ``TransportError`` where there is none, also where the task was cancelled.
    public func connect(to server: ServerOrigin, within limit: Duration) async throws(TransportError) {
        let connecting = ClientBootstrap(group: group).connectTimeout(.init(limit))
            .connect(host: server.host, port: server.port)
        // However late it comes, and whether anybody still waits for it.
        connecting.whenSuccess { $0.close(promise: nil) }
        let outcome = connecting.eventLoop.makePromise(of: Void.self)
        connecting.map { _ in }.cascade(to: outcome)
        do {
            try await withTaskCancellationHandler {
                try await outcome.futureResult.get()
            } onCancel: {
                outcome.fail(CancellationError())
            }
        } catch {
            throw TransportError(error)
        }
    }

    /// Ends the requests whose connections were cut off while the network was away, which their own patience would keep
    /// waiting: they fail, and can be made anew.
    public func closeStalledConnections() async {
        await connections.closeStalled()
    }

    private static func configuration(
        for lane: TransportRequest.Lane, _ timeouts: Timeouts
    ) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .init(timeouts.connect)),
            // Servers close idle connections after about a minute; a request sent into that moment would be lost.
            connectionPool: .init(idleTimeout: .seconds(30)),
            // Assets are sent as they are. JSON of many like records shrinks without bound, so a limit by ratio would
            // one day refuse a good page for ever; the limit is the one on the body.
            decompression: lane.isOfContent ? .disabled : .enabled(limit: .size(maximumAnswerBytes)))
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        if lane == .freshContent { configuration.maximumUsesPerConnection = 1 }
        // The deadline of a request holds until its answer begins: what began would be waited for without end on a
        // connection whose other end is gone.
        let patience =
            switch lane {
            case .api: timeouts.request
            case .courier: timeouts.courier
            case .content, .freshContent: timeouts.idle
            }
        configuration.timeout.read = .init(patience)
        return configuration
    }

    /// Sends a request; its answer may hold up to 512 MiB.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        do {
            let response = try await start(request)
            var body = try await response.body.collect(upTo: Self.maximumAnswerBytes)
            return TransportResponse(response, body: body.readBytes(length: body.readableBytes) ?? [])
        } catch {
            throw await explained(error, request)
        }
    }

    /// Streams an answer; the connection is read only as fast as the sink takes.
    public func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        do {
            let response = try await start(request)
            guard response.status == .ok else {
                return TransportResponse(response, body: try await Self.beginning(of: response.body))
            }
            for try await var piece in response.body {
                let bytes = piece.readBytes(length: piece.readableBytes) ?? []
                do { try await sink(bytes) } catch { throw TransportError.sinkFailed(error) }
            }
            return TransportResponse(response, body: [])
        } catch {
            throw await explained(error, request)
        }
    }

    private func start(_ request: TransportRequest) async throws -> HTTPClientResponse {
        var outgoing = HTTPClientRequest(url: request.url)
        outgoing.tlsConfiguration = tls
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers { outgoing.headers.add(name: field.name.rawName, value: field.value) }
        switch request.body {
        case .none: break
        case .bytes(let bytes): outgoing.body = .bytes(ByteBuffer(bytes: bytes))
        case .stream(let source):
            outgoing.body = .stream(ByteSourceSequence(source: source), length: .known(source.length))
        }
        let deadline: NIODeadline =
            switch request.lane {
            case .api: .now() + .init(timeouts.request)
            case .content, .freshContent: .distantFuture  // the idle timeout watches it
            case .courier: .now() + .init(timeouts.courier)
            }
        return try await clients[request.lane]!.execute(outgoing, deadline: deadline)
    }

    /// An error of the HTTP library in words; a certificate that is not believed is looked at once more for that.
    private func explained(_ error: any Error, _ request: TransportRequest) async -> TransportError {
        guard error is NIOSSLError || error is NIOSSLExtraError, let url = URLComponents(string: request.url),
            let host = url.host
        else { return TransportError(error) }
        let port = url.port ?? 443
        let inspection = CertificateInspection(authority: authority, limit: .init(timeouts.connect), group: group)
        guard let fault = await inspection.fault(of: host, port: port, after: error) else {
            return TransportError(error)
        }
        return .untrusted(fault.message(for: port == 443 ? host : "\(host):\(port)"), cause: error)
    }

    /// What an error's body begins with; more than that nobody reads.
    private static func beginning(of body: HTTPClientResponse.Body) async throws -> [UInt8] {
        var beginning: [UInt8] = []
        for try await var piece in body {
            beginning += piece.readBytes(length: min(piece.readableBytes, 65_536 - beginning.count)) ?? []
            if beginning.count >= 65_536 { break }
        }
        return beginning
    }
}

extension TransportRequest.Lane {
    fileprivate var isOfContent: Bool { self == .content || self == .freshContent }
}

extension TransportResponse {
    fileprivate init(_ response: HTTPClientResponse, body: [UInt8]) {
        var headers = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            headers.append(HTTPField(name: name, value: value))
        }
        self.init(status: Int(response.status.code), headers: headers, body: body)
    }
}

/// Reads a source in pieces as the connection takes them.
private struct ByteSourceSequence: AsyncSequence, Sendable {
    let source: ByteSource

    struct AsyncIterator: AsyncIteratorProtocol {
        let source: ByteSource
        var offset: Int64 = 0

        mutating func next() async throws -> ByteBuffer? {
            let left = source.length - offset
            guard left > 0 else { return nil }
            let bytes: [UInt8]
            do {
                bytes = try await source.read(offset, Int(Swift.min(left, 256 << 10)))
            } catch {
                throw TransportError.sourceFailed(error)
            }
            guard !bytes.isEmpty, bytes.count <= left else { throw TransportError.sourceFailed(EarlyEnd()) }
            offset += Int64(bytes.count)
            return ByteBuffer(bytes: bytes)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }
}

/// A file was shorter than its size said.
private struct EarlyEnd: Error {}
