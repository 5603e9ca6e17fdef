import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL

#if canImport(Glibc)
    import Glibc
#endif

extension TransportError {
    /// What an error of the HTTP library says about the request. Where that is not known for sure, the request is
    /// taken to have arrived: looking up what is already done costs less than doing it twice.
    init(_ error: any Error) {
        switch error {
        case let error as TransportError: self = error
        case is CancellationError: self = .cancelled()
        case let error as HTTPClientError: self.init(error)
        case let error as NIOConnectionError:
            self = .unreachable("no connection to \(error.host), port \(error.port)", cause: error)
        case let error as IOError where Self.isOfConnecting(error):
            self = .unreachable("no connection (\(String(cString: strerror(error.errnoCode))))", cause: error)
        case let error as ChannelError:
            if case .connectTimeout = error {
                self = .unreachable("no connection in time", cause: error)
            } else {
                self = .connectionLost(requestMayHaveArrived: true, cause: error)
            }
        default:
            // A handshake comes before any request.
            switch error {
            case is NIOSSLExtraError, NIOSSLError.handshakeFailed:
                self = .unreachable("no secure connection, for no TLS is spoken there or another one", cause: error)
            default: self = .connectionLost(requestMayHaveArrived: true, cause: error)
            }
        }
    }

    /// Whether a system call failed before there was a connection. A server that is named by its address fails so,
    /// one that is named by its name with `NIOConnectionError`. The errno alone does not tell: a live connection, too,
    /// can end with "no route to host".
    private static func isOfConnecting(_ error: IOError) -> Bool {
        let text = error.description
        return text.hasPrefix("connect(") || text.contains("connect failed") || text.contains("Connection refused")
    }

    private init(_ error: HTTPClientError) {
        switch error {
        case .cancelled, .requestStreamCancelled: self = .cancelled()
        case .connectTimeout, .tlsHandshakeTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout,
            .getConnectionFromPoolTimeout:
            self = .unreachable("no connection in time", cause: error)
        case .alreadyShutdown: self = .unreachable("the program is stopping", cause: error)
        case .invalidProxyResponse, .proxyAuthenticationRequired:
            self = .unreachable("the proxy refuses", cause: error)
        case .readTimeout, .writeTimeout, .deadlineExceeded: self = .timedOut(requestMayHaveArrived: true, cause: error)
        case .invalidURL, .emptyHost, .emptyScheme: self = .badURL(error.shortDescription)
        case .bodyLengthMismatch: self = .sourceFailed(error)
        default:
            if error.description.contains("unsupportedScheme") {
                self = .badURL(error.shortDescription)
            } else {
                self = .connectionLost(requestMayHaveArrived: true, cause: error)
            }
        }
    }
}

extension TimeAmount {
    /// The same length of time, as NIO counts it.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
