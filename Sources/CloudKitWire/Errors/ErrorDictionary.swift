/// An error, of a whole request or of one item in a 200 (protocol §5).
public struct ErrorDictionary: Hashable, Sendable, Error {
    public var serverErrorCode: ServerErrorCode
    public var reason: String?
    /// Names the occurrence for the server's support.
    public var uuid: String?
    /// Seconds.
    public var retryAfter: Double?
    /// Where to sign in, with `AUTHENTICATION_REQUIRED`.
    public var redirectURL: String?
    /// The item's key, where the error is an item's.
    public var recordName: String?
    public var zoneID: ZoneID?
    public var subscriptionID: String?

    /// An error with its code and, for people, its reason.
    public init(_ serverErrorCode: ServerErrorCode, reason: String? = nil) {
        self.serverErrorCode = serverErrorCode
        self.reason = reason
    }
}

/// The code of an error; open, because servers send codes that no document lists.
public struct ServerErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: String

    /// Takes a code as the wire spells it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }

    public static let accessDenied = Self(rawValue: "ACCESS_DENIED")
    public static let atomicError = Self(rawValue: "ATOMIC_ERROR")
    public static let authenticationFailed = Self(rawValue: "AUTHENTICATION_FAILED")
    public static let authenticationRequired = Self(rawValue: "AUTHENTICATION_REQUIRED")
    public static let badRequest = Self(rawValue: "BAD_REQUEST")
    public static let conflict = Self(rawValue: "CONFLICT")
    public static let exists = Self(rawValue: "EXISTS")
    public static let internalError = Self(rawValue: "INTERNAL_ERROR")
    public static let notFound = Self(rawValue: "NOT_FOUND")
    public static let quotaExceeded = Self(rawValue: "QUOTA_EXCEEDED")
    public static let signInFailed = Self(rawValue: "SIGN_IN_FAILED")
    public static let throttled = Self(rawValue: "THROTTLED")
    public static let tryAgainLater = Self(rawValue: "TRY_AGAIN_LATER")
    public static let uniqueFieldError = Self(rawValue: "UNIQUE_FIELD_ERROR")
    public static let validatingReferenceError = Self(rawValue: "VALIDATING_REFERENCE_ERROR")
    public static let zoneBusy = Self(rawValue: "ZONE_BUSY")
    public static let zoneNotFound = Self(rawValue: "ZONE_NOT_FOUND")
}

/// One entry of a batch's answer: a result, or that item's error. On the wire the presence of
/// `serverErrorCode` tells them apart.
public enum ItemResult<Item: Hashable & Sendable>: Hashable, Sendable {
    case success(Item)
    case failure(ErrorDictionary)
}
