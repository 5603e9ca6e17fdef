/// One HTTP request as it went, for tests and metrics; without credentials and contents.
public struct RequestObservation: Hashable, Sendable {
    /// What was asked.
    public var operation: CloudKitOperation
    /// Bytes of the body sent.
    public var requestBytes: Int64
    /// Bytes of the body received, decompressed; of a download, what the sink got.
    public var responseBytes: Int64
    /// `nil` where no complete answer came.
    public var status: Int?
    /// From before the request left until its answer was complete, or failed.
    public var duration: Duration
}

/// Is told of every HTTP request after it ended, repeated ones included. Must return fast.
public typealias RequestObserver = @Sendable (RequestObservation) -> Void
