import CloudKitWire

/// The table of protocol §5 and reliability.md §3: total, and without state.
///
/// Known codes first, whatever status they come with; then unknown codes and foreign bodies by HTTP status. An unknown
/// code is repeated only if the server names a time or the status is a server's fault.
extension FailedCall {
    /// An item that the server itself fails at is tried this often, then held, so that it cannot keep the rest busy.
    static let itemAttempts = 5

    /// The one thing to do about it.
    public var reaction: ErrorReaction {
        switch failure {
        case .code where isDuplicateSubscription: .done
        case .code(let code, let status): reaction(to: code) ?? reaction(toUnknownCodeWith: status)
        case .status(let status): isContent ? reaction(toContentStatus: status) : reaction(toStatus: status)
        case .unexpectedAnswer: operation == .recordsModify ? .lookUpAndMerge : retry(pausing: .database)
        case .transport(let code, let mayHaveBeenDone): reaction(to: code, mayHaveBeenDone: mayHaveBeenDone)
        case .credentialsNotStored: retry(pausing: .database)
        }
    }

    private func retry(pausing pause: ErrorReaction.Pause) -> ErrorReaction {
        .retry(after: retryAfter, pausing: pause)
    }

    /// A server's fault: for a request, the database waits; an item is tried some times, then held.
    private var serverFault: ErrorReaction {
        guard level == .item else { return retry(pausing: .database) }
        return attempts < Self.itemAttempts ? retry(pausing: .item) : .hold(.serverFault)
    }

    /// A subscription for the same that is there already, under whatever code, is what was asked for.
    private var isDuplicateSubscription: Bool {
        operation == .subscriptionsModify && !deletes && reason?.lowercased().contains("duplicate of") == true
    }

    private var isContent: Bool { operation == .uploadAsset || operation == .downloadAsset }

    // MARK: - CloudKit's codes

    /// `nil` for a code that no document lists.
    private func reaction(to code: ServerErrorCode) -> ErrorReaction? {
        switch code {
        case .accessDenied: .hold(.noPermission)
        case .atomicError: reactionToAtomicError
        case .authenticationFailed, .authenticationRequired, .signInFailed: .signIn(redirectURL: redirectURL)
        case .badRequest: reactionToBadRequest
        case .conflict, .exists: reactionToConflict
        case .internalError: serverFault
        case .notFound: reactionToNotFound
        case .quotaExceeded: .hold(.outOfStorage)
        case .throttled: retry(pausing: .database)
        case .tryAgainLater, .zoneBusy, .retryLater: retry(pausing: level == .item ? .item : .database)
        case .uniqueFieldError: .hold(.notUnique)
        case .validatingReferenceError: reactionToReferenceError
        case .zoneNotFound: reactionToMissingZone
        default: nil
        }
    }

    private func reaction(toUnknownCodeWith status: Int?) -> ErrorReaction {
        if retryAfter != nil { return retry(pausing: level == .item ? .item : .database) }
        // Without a time a code cannot be retried, the protocol says; a 5xx is retried all the same.
        guard let status, status != 200 else { return .hold(.refused) }
        return reaction(toStatus: status, hasCode: true)
    }

    /// The culprit has its own error; the others go again without it.
    private var reactionToAtomicError: ErrorReaction {
        if level == .item { return attempts < Self.itemAttempts ? retry(pausing: .item) : .hold(.refused) }
        return batchCount > 1 ? .split : .hold(.refused)
    }

    /// A code for everything: malformed, schema, token, limits. The context tells them apart.
    private var reactionToBadRequest: ErrorReaction {
        if operation.takesSyncToken, hadToken { return .refetch }
        if level == .request, batchCount > 1 { return .split }
        return .hold(Self.hold(forReason: reason))
    }

    private var reactionToConflict: ErrorReaction {
        switch operation {
        case .zonesModify, .subscriptionsModify: .done
        case .recordsModify: level == .request && batchCount > 1 ? .split : .lookUpAndMerge
        default: level == .request && batchCount > 1 ? .split : serverFault
        }
    }

    private var reactionToNotFound: ErrorReaction {
        switch operation {
        case .recordsModify:
            switch recordKind {
            case .delete, .forceDelete: .done
            case .none: level == .request && batchCount > 1 ? .split : .recreate(.record)
            default: .recreate(.record)
            }
        case .recordsLookup: level == .item ? .done : .hold(.misconfigured)  // "there is none" is the answer
        case .assetsRereference: .lookUpAndMerge
        case .subscriptionsLookup: .recreate(.subscription)
        case .subscriptionsModify: deletes ? .done : .recreate(.subscription)
        case .zonesModify where deletes: .done
        case .zonesLookup, .zoneChanges, .zonesModify: .recreate(.zone)
        case .tokensRegister, .pollCourier: .recreate(.pushToken)
        case .uploadAsset, .downloadAsset: reaction(toContentStatus: 404)
        default: .hold(.misconfigured)
        }
    }

    /// What it refers to comes or goes first as a rule; where it does not, no time helps but another record's change.
    private var reactionToReferenceError: ErrorReaction {
        level == .request && batchCount > 1 ? .split : .hold(.brokenReference)
    }

    private var reactionToMissingZone: ErrorReaction {
        switch operation {
        case .zonesModify where deletes, .subscriptionsModify where deletes: .done
        default: .recreate(.zone)
        }
    }

    /// What a refusal in words is about. The words are the live service's (protocol §3.3, §5, §8.3); words that
    /// nobody has seen yet give the general reason.
    private static func hold(forReason reason: String?) -> Hold {
        guard let reason = reason?.lowercased() else { return .refused }
        let references = ["owning references", "delete_self references"]
        if references.contains(where: reason.contains) { return .tooManyReferences }
        let isAboutName = ["record name", "recordname"].contains(where: reason.contains)
        let illegal = ["invalid", "illegal", "must", "not allowed", "too long", "exceeds", "start with"]
        if isAboutName, illegal.contains(where: reason.contains) { return .nameRefused }
        let size = ["too large", "exceeds", "limit exceeded", "size limit", "maximum size", "bigger than"]
        if size.contains(where: reason.contains) { return .tooLarge }
        let schema = [
            "not found in", "did not find record type", "cannot create new type", "cannot create or modify",
            "unknown field",
        ]
        if schema.contains(where: reason.contains) { return .missingFromSchema }
        if reason.contains("endpoint not applicable") || reason.contains("container") { return .misconfigured }
        return .refused
    }

    // MARK: - Answers without a code

    private func reaction(toStatus status: Int, hasCode: Bool = false) -> ErrorReaction {
        switch status {
        case 200..<300: operation == .recordsModify ? .lookUpAndMerge : serverFault
        // A captive portal sends everybody to its page: the network is not there yet.
        case 300..<400: retry(pausing: .database)
        case 400: reactionToBadRequest
        case 401: .signIn(redirectURL: redirectURL)
        case 403: .hold(.noPermission)
        case 404, 410: operation == .pollCourier ? .recreate(.pushToken) : .hold(.misconfigured)
        case 408, 425: retry(pausing: .database)
        case 409: reactionToConflict
        case 412: reactionToReferenceError
        case 413: level == .request && batchCount > 1 ? .split : .hold(.tooLarge)
        // Without CloudKit's words 421 is Misdirected Request: a matter of connections, not of signing in.
        case 421: hasCode ? .signIn(redirectURL: redirectURL) : retry(pausing: .database)
        case 429: retry(pausing: .database)
        case 400..<500: level == .request && batchCount > 1 ? .split : .hold(.misconfigured)
        default: serverFault
        }
    }

    /// The content host's URLs are good for minutes; its refusals mean that they are stale (protocol §3.10).
    private func reaction(toContentStatus status: Int) -> ErrorReaction {
        switch status {
        case 413: .hold(.tooLarge)
        case 408, 421, 425, 429: retry(pausing: .item)
        case 400..<500 where operation == .uploadAsset:
            attempts < Self.itemAttempts ? .recreate(.uploadURL) : .hold(.refused)
        case 400..<500: attempts < 2 ? .lookUpAndMerge : .hold(.assetGone)
        default: retry(pausing: .item)
        }
    }

    private func reaction(to code: TransportError.Code, mayHaveBeenDone: Bool) -> ErrorReaction {
        switch code {
        case .unreachable: retry(pausing: isContent ? .item : .database)
        // A person has to see to it. Of the content host only that file tells, for the rest goes on.
        case .untrusted: isContent ? .hold(.untrusted) : retry(pausing: .database)
        case .timedOut, .connectionLost, .cancelled:
            if mayHaveBeenDone, operation == .recordsModify {
                .lookUpAndMerge
            } else {
                retry(pausing: isContent || code == .cancelled || operation == .pollCourier ? .item : .database)
            }
        // The folder's next event says what the file is now (protocol §5.1).
        case .sourceFailed, .sinkFailed: retry(pausing: .item)
        case .badURL:
            switch operation {
            case .uploadAsset: .recreate(.uploadURL)
            case .downloadAsset: attempts < 2 ? .lookUpAndMerge : .hold(.assetGone)
            case .pollCourier: .recreate(.pushToken)
            default: .hold(.misconfigured)
            }
        }
    }
}

extension ServerErrorCode {
    /// In no document; clients of the live service retry it (protocol §5).
    fileprivate static let retryLater = Self(rawValue: "RETRY_LATER")
}
