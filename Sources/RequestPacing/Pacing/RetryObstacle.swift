public import CloudKitClient

/// What has to change before a failed thing can go well.
public enum RetryObstacle: Hashable, Sendable {
    /// The server refuses, or fails: it needs its time.
    case server
    /// Nobody answered, or somebody in between did: as soon as the server answers anything, or a link comes up, it is worth a
    /// try.
    case network
    /// This machine cannot keep the sign-in, so that nothing is asked of the server: its disk, or a permission.
    case credentials
}

extension CloudKitError {
    /// What stands in the way. A gateway that finds no server behind it, and a portal that wants to be logged in to, are of the
    /// network.
    public var obstacle: RetryObstacle {
        switch code {
        case .transport(.unreachable), .transport(.timedOut), .transport(.connectionLost): .network
        case .http where retryAfter == nil: Self.isOfGateway(status ?? 0) ? .network : .server
        case .credentialsNotStored: .credentials
        case .server, .http, .unexpectedAnswer, .transport: .server
        }
    }

    /// Whether the server said nothing.
    public var isSilence: Bool {
        if case .transport = code { true } else { obstacle == .network }
    }

    /// Redirects, and "bad gateway", "service unavailable" and "gateway timeout" (RFC 9110 §15.6).
    private static func isOfGateway(_ status: Int) -> Bool {
        (300..<400).contains(status) || [502, 503, 504].contains(status)
    }
}
