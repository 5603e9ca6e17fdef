/// Why no complete answer came back.
public struct TransportError: Error, CustomStringConvertible {
    /// What to branch on.
    public enum Code: Hashable, Sendable, CaseIterable {
        /// No route, no name, no connection, no TLS: the request never left.
        case unreachable
        /// The server's certificate is not believed, or it names an address without TLS: the request never left.
        case untrusted
        /// No answer in time.
        case timedOut
        /// The connection broke under the request.
        case connectionLost
        /// The task was cancelled.
        case cancelled
        /// The file to send could not be read, or was changed while it was read.
        case sourceFailed
        /// What was received could not be put away, for example because the disk is full.
        case sinkFailed
        /// The URL is none.
        case badURL
    }

    /// What to branch on.
    public var code: Code
    /// Whether the server may have got the whole request, and so may have done what it asks.
    public var requestMayHaveArrived: Bool
    /// For people; without the URL, which may hold credentials.
    public var message: String
    /// The error underneath, for the log.
    public var cause: (any Error)?

    /// The same as ``message``.
    public var description: String { message }

    /// No connection came into being.
    public static func unreachable(_ detail: String, cause: (any Error)? = nil) -> Self {
        Self(
            code: .unreachable, requestMayHaveArrived: false,
            message: "The server cannot be reached: \(detail). It is tried again by itself.", cause: cause)
    }

    /// The server cannot be told from somebody who pretends to be it.
    /// - Parameter detail: What is wrong, and the way out, in whole sentences.
    public static func untrusted(_ detail: String, cause: (any Error)? = nil) -> Self {
        Self(
            code: .untrusted, requestMayHaveArrived: false, message: "\(detail) It is tried again by itself.",
            cause: cause)
    }

    /// A server that is asked with TLS names an address without for its assets or pushes.
    static func plainAddress(_ host: String) -> Self {
        .untrusted(
            "The server names an address without TLS (http://\(host)), where others could read what is sent. Where it is "
                + "one of your own behind a proxy, serve it with --public-url https://…")
    }

    /// No answer came in time.
    public static func timedOut(requestMayHaveArrived: Bool, cause: (any Error)? = nil) -> Self {
        Self(
            code: .timedOut, requestMayHaveArrived: requestMayHaveArrived,
            message: "The server did not answer in time. It is tried again by itself.", cause: cause)
    }

    /// The connection broke before the answer was complete.
    public static func connectionLost(requestMayHaveArrived: Bool, cause: (any Error)? = nil) -> Self {
        Self(
            code: .connectionLost, requestMayHaveArrived: requestMayHaveArrived,
            message: "The connection to the server broke. It is tried again by itself.", cause: cause)
    }

    /// The task that waited was cancelled; what was sent may still be carried out.
    public static func cancelled(requestMayHaveArrived: Bool = true) -> Self {
        Self(
            code: .cancelled, requestMayHaveArrived: requestMayHaveArrived, message: "The request was cancelled.",
            cause: nil)
    }

    /// The body's source threw, or ended early.
    public static func sourceFailed(_ cause: any Error) -> Self {
        Self(
            code: .sourceFailed, requestMayHaveArrived: false,
            message: "The file to upload could not be read as it was. Its next change decides.", cause: cause)
    }

    /// The sink of a download threw.
    public static func sinkFailed(_ cause: any Error) -> Self {
        Self(
            code: .sinkFailed, requestMayHaveArrived: true,
            message: "The download could not be written. Make room on the disk, or look at its errors.", cause: cause)
    }

    /// Not a URL that can be asked.
    public static func badURL(_ detail: String) -> Self {
        Self(
            code: .badURL, requestMayHaveArrived: false,
            message: "A URL is not valid: \(detail). Check the server's address in config.toml.", cause: nil)
    }
}
