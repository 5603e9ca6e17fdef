public import CloudKitWire

/// All that a reaction depends on: what was asked, and how it failed.
public struct FailedCall: Hashable, Sendable {
    /// Whether the whole request failed, or one item of a 200.
    public enum Level: Hashable, Sendable, CaseIterable {
        case request, item
    }

    /// What became of the request.
    public enum Failure: Hashable, Sendable {
        /// A CloudKit error, known or not; the HTTP status where it is a request's.
        case code(ServerErrorCode, status: Int?)
        /// An answer without a CloudKit error: HTML, empty, from a proxy or the content host.
        case status(Int)
        /// A 200 that cannot be read.
        case unexpectedAnswer
        case transport(TransportError.Code, mayHaveBeenDone: Bool)
        case credentialsNotStored
    }

    /// Whether the request failed, or one item.
    public var level: Level
    /// What was asked.
    public var operation: CloudKitOperation
    /// What came back instead.
    public var failure: Failure
    /// Of an item of `records/modify`; `nil` for a batch.
    public var recordKind: RecordOperation.Kind?
    /// Of an item of `zones/modify` or `subscriptions/modify`.
    public var deletes = false
    /// The server's words, which tell the kinds of `BAD_REQUEST` apart.
    public var reason: String?
    /// What the server asked to wait.
    public var retryAfter: Duration?
    /// Where to sign in.
    public var redirectURL: String?
    /// Whether a sync token was sent.
    public var hadToken = false
    /// Items in the request.
    public var batchCount = 1
    /// How often this very thing failed before.
    public var attempts = 0

    /// A failed call with nothing known but what failed.
    public init(_ level: Level, of operation: CloudKitOperation, _ failure: Failure) {
        self.level = level
        self.operation = operation
        self.failure = failure
    }
}

extension CloudKitError {
    /// What to do about this error.
    /// - Parameters:
    ///   - hadToken: Whether the request carried a sync token.
    ///   - batchCount: Items in the request.
    ///   - attempts: How often the same request failed before.
    public func reaction(hadToken: Bool = false, batchCount: Int = 1, attempts: Int = 0) -> ErrorReaction {
        let failure: FailedCall.Failure =
            switch code {
            case .server(let code): .code(code, status: status)
            case .http: .status(status ?? 0)
            case .unexpectedAnswer: .unexpectedAnswer
            case .transport(let code): .transport(code, mayHaveBeenDone: mayHaveBeenDone)
            case .credentialsNotStored: .credentialsNotStored
            }
        var call = FailedCall(.request, of: operation, failure)
        call.reason = reason
        call.retryAfter = retryAfter
        call.redirectURL = redirectURL
        call.hadToken = hadToken
        call.batchCount = batchCount
        call.attempts = attempts
        return call.reaction
    }
}

extension ErrorDictionary {
    /// What to do about this error of one item in a 200.
    /// - Parameters:
    ///   - recordKind: The operation on the record, in `records/modify`.
    ///   - deletes: Whether the item asked for a deletion, in `zones/modify` and `subscriptions/modify`.
    ///   - hadToken: Whether the item carried a sync token.
    ///   - attempts: How often the same item failed before.
    public func reaction(
        of operation: CloudKitOperation, recordKind: RecordOperation.Kind? = nil, deletes: Bool = false,
        hadToken: Bool = false, attempts: Int = 0
    ) -> ErrorReaction {
        var call = FailedCall(.item, of: operation, .code(serverErrorCode, status: nil))
        call.reason = reason
        call.retryAfter = retryAfter.flatMap(Duration.init(wireSeconds:))
        call.redirectURL = redirectURL
        call.recordKind = recordKind
        call.deletes = deletes
        call.hadToken = hadToken
        call.attempts = attempts
        return call.reaction
    }
}
