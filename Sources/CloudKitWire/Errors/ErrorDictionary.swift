/// An error, of a whole request or of one item in a 200 (protocol §5).
public struct ErrorDictionary: Hashable, Sendable, Error {
    /// To branch on.
    public var serverErrorCode: ServerErrorCode
    /// For people.
    public var reason: String?
    /// Names the occurrence for the server's support.
    public var uuid: String?
    /// Seconds.
    public var retryAfter: Double?
    /// Where to sign in, with `AUTHENTICATION_REQUIRED`.
    public var redirectURL: String?
    /// The item's key, where the error is an item's.
    public var recordName: String?
    /// The item's key, where the error is an item's.
    public var zoneID: ZoneID?
    /// The item's key, where the error is an item's.
    public var subscriptionID: String?
    /// The item's key, where the error is an item's.
    public var shortGUID: ShortGUID?

    /// An error with its code and, for people, its reason.
    public init(_ serverErrorCode: ServerErrorCode, reason: String? = nil) {
        self.serverErrorCode = serverErrorCode
        self.reason = reason
    }

    /// The reason with which `zonefolder serve` refuses a sync token of changes that it does not have any more, as after the
    /// restore of a backup. Apple's service says nothing of the kind.
    public static let unknownPast = "Sync continuation of changes that were taken back"
}

/// The code of an error; open, because servers send codes that no document lists.
public struct ServerErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// As the wire spells it.
    public var rawValue: String

    /// Takes a code as the wire spells it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The code as the wire spells it.
    public var description: String { rawValue }

    /// No permission.
    public static let accessDenied = Self(rawValue: "ACCESS_DENIED")
    /// Another item of an atomic request failed.
    public static let atomicError = Self(rawValue: "ATOMIC_ERROR")
    /// The credentials were refused.
    public static let authenticationFailed = Self(rawValue: "AUTHENTICATION_FAILED")
    /// A user has to sign in.
    public static let authenticationRequired = Self(rawValue: "AUTHENTICATION_REQUIRED")
    /// Malformed, against the schema or the limits, or with a bad token: by context.
    public static let badRequest = Self(rawValue: "BAD_REQUEST")
    /// The change tag is old, or the record was there already.
    public static let conflict = Self(rawValue: "CONFLICT")
    /// It is there already.
    public static let exists = Self(rawValue: "EXISTS")
    /// A fault of the server.
    public static let internalError = Self(rawValue: "INTERNAL_ERROR")
    /// No such record, subscription or path.
    public static let notFound = Self(rawValue: "NOT_FOUND")
    /// The storage is full.
    public static let quotaExceeded = Self(rawValue: "QUOTA_EXCEEDED")
    /// The sign-in page failed.
    public static let signInFailed = Self(rawValue: "SIGN_IN_FAILED")
    /// Too many requests.
    public static let throttled = Self(rawValue: "THROTTLED")
    /// Temporarily not available.
    public static let tryAgainLater = Self(rawValue: "TRY_AGAIN_LATER")
    /// A field that must be unique collides.
    public static let uniqueFieldError = Self(rawValue: "UNIQUE_FIELD_ERROR")
    /// The target of a reference is missing, or is still referred to.
    public static let validatingReferenceError = Self(rawValue: "VALIDATING_REFERENCE_ERROR")
    /// The zone is under load.
    public static let zoneBusy = Self(rawValue: "ZONE_BUSY")
    /// No such zone.
    public static let zoneNotFound = Self(rawValue: "ZONE_NOT_FOUND")
}

/// One entry of a batch's answer: a result, or that item's error. On the wire the presence of
/// `serverErrorCode` tells them apart.
public enum ItemResult<Item: Hashable & Sendable>: Hashable, Sendable {
    case success(Item)
    case failure(ErrorDictionary)
}
