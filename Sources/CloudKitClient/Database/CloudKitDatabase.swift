public import CloudKitWire
public import Logging

/// One CloudKit database, asked over CloudKit Web Services.
///
/// Each method is one request, or one for each 200 items where it says so. Errors of single items are in the results;
/// an error of the whole request is thrown, with ``CloudKitError/reaction(hadToken:batchCount:attempts:)`` saying what
/// to do. Nothing waits and nothing is repeated here, but for two cases that need no decision: a refused web auth
/// token while a newer one is known, and a read whose connection broke.
///
/// Methods may run at the same time. For several databases of one account share the ``WebAuthSession``.
public struct CloudKitDatabase: Sendable {
    let sender: RequestSender

    /// Sends nothing yet.
    /// - Parameters:
    ///   - logger: Gets operation, status, sizes and duration at debug level; never credentials or contents.
    ///   - onRequest: Is told of every HTTP request after it ended.
    ///   - now: A clock that never jumps, for durations.
    public init(
        _ address: DatabaseAddress, session: WebAuthSession, transport: any CloudKitTransport, logger: Logger,
        onRequest: RequestObserver? = nil, now: @escaping @Sendable () -> Duration = Self.monotonicTime
    ) {
        sender = RequestSender(
            address: address, credentials: .session(session), transport: transport, logger: logger,
            onRequest: onRequest, now: now)
    }

    /// A public database, asked with a server-to-server key; every other one refuses it.
    public init(
        _ address: DatabaseAddress, serverKey: ServerKeySession, transport: any CloudKitTransport, logger: Logger,
        onRequest: RequestObserver? = nil, now: @escaping @Sendable () -> Duration = Self.monotonicTime
    ) {
        sender = RequestSender(
            address: address, credentials: .serverKey(serverKey), transport: transport, logger: logger,
            onRequest: onRequest, now: now)
    }

    private init(_ sender: RequestSender) {
        self.sender = sender
    }

    /// The same container's database of another scope, asked with the same credentials.
    public func with(scope: DatabaseAddress.Scope) -> Self {
        Self(
            RequestSender(
                address: address.with(scope: scope), credentials: sender.credentials, transport: sender.transport,
                logger: sender.logger, onRequest: sender.onRequest, now: sender.now))
    }

    private static let origin = ContinuousClock.now

    /// Time since the process began to ask.
    public static let monotonicTime: @Sendable () -> Duration = { origin.duration(to: .now) }

    /// Where requests go.
    public var address: DatabaseAddress { sender.address }

    /// Whether requests carry a person's sign-in, be it one that the server refuses; nothing is asked of the server.
    public var isSignedIn: Bool {
        get async {
            // Of credentials that cannot be read, no request is sent either.
            guard case .session(let session) = sender.credentials else { return false }
            return (try? await session.isSignedIn) ?? false
        }
    }

    /// Who is signed in (`users/caller`). Signed out, the error has the sign-in page's URL.
    /// - SeeAlso: ``AccountStatus``, which reads the outcome.
    public func caller() async throws(CloudKitError) -> UserIdentity {
        try await sender.call(.usersCaller, noMessage)
    }

    /// Any operation by its path, JSON in and JSON out: for queries and for what has no method here.
    /// - Parameter body: A JSON object; `nil` makes the request a GET.
    /// - Returns: The body of the 200; errors of single items are in it.
    public func call(_ operation: CloudKitOperation, body: [UInt8]?) async throws(CloudKitError) -> [UInt8] {
        try await sender.authorized(operation, body: body).body
    }
}

/// The message of a GET.
let noMessage: ZonesLookupRequest? = nil
