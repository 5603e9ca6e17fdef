import CloudKitWire

/// What the server refuses, in the words of the service (protocol §3.1, §3.5, §5).
extension ErrorDictionary {
    static func badRequest(_ reason: String) -> Self { Self(.badRequest, reason: reason) }

    static func malformed(_ reason: String) -> Self { .badRequest("BadRequestException: \(reason)") }

    static func missing(_ key: String) -> Self { .malformed("missing required field '\(key)'") }

    static func tooMany(_ things: String, _ count: Int) -> Self {
        .badRequest("the request has \(count) \(things), and the limit is \(StoreLimits.itemsPerRequest)")
    }

    static func zoneNotFound(_ zone: ZoneID) -> Self {
        Self(.zoneNotFound, reason: "Zone '\(zone.zoneName)' does not exist")
    }

    static let recordNotFound = Self(.notFound, reason: "Record not found")
    static let taggedRecordNotFound = Self(
        .notFound, reason: "recordChangeTag specified, but record not found")
    static let recordExists = Self(.conflict, reason: "record to insert already exists")
    static let staleTag = Self(.conflict, reason: "client oplock error updating record")
    static let atomicFailure = Self(.atomicError, reason: "atomic failure")
    static let unknownContinuation = badRequest("Unknown sync continuation type")
    /// Of a token from a past of the database that is not its own any more.
    static let lostContinuation = badRequest(unknownPast)
    static let invalidContinuation = badRequest("Invalid continuation format")

    static func notApplicable(in scope: DatabaseScope) -> Self {
        .badRequest("endpoint not applicable in the database type '\(scope.rawValue)db'")
    }

    static let zoneNeedsOwner = badRequest("zoneID needs to have ownerRecordName field for calls to sharedb")

    static let noAuthentication = Self(.authenticationFailed, reason: "no auth method found")
    /// Whatever is wrong with a server-to-server request: the same words, so that nobody learns how far he got.
    static let authenticationFailed = Self(.authenticationFailed, reason: "Authentication failed")
    static let wrongAPIToken = Self(.authenticationFailed, reason: "the API token is not valid here")

    static let wrongOrigin = Self(.authenticationFailed, reason: "the API token is not valid for this origin")

    static func needsSignIn(at url: String?) -> Self {
        var error = Self(.authenticationRequired, reason: "request needs authorization")
        error.redirectURL = url
        return error
    }

    func about(record name: String?) -> Self {
        var error = self
        error.recordName = name
        return error
    }

    func about(zone: ZoneID) -> Self {
        var error = self
        error.zoneID = zone
        return error
    }

    func about(shortGUID: ShortGUID) -> Self {
        var error = self
        error.shortGUID = shortGUID
        return error
    }

    func about(subscription id: String?) -> Self {
        var error = self
        error.subscriptionID = id
        return error
    }
}

/// The limits of CloudKit Web Services that are no settings (protocol §6).
enum StoreLimits {
    static let itemsPerRequest = 200
    static let recordBytes = 1_048_576
    /// Of one page's fields: 200 records of the largest size would not fit into anyone's memory.
    static let pageBytes = 4_194_304
    /// Of the records in an answer that has no further pages.
    static let answerBytes = 16_777_216
    static let deleteSelfReferences = 750
    /// With consequences, in one record: what CloudKit lets refer to one record can be no less.
    static let referencesOfRecord = 750
    /// Of one account in one database.
    static let subscriptions = 200
    /// Of one subscription: every write to its database reads it, and one answer has all of them.
    static let subscriptionBytes = 65_536
    /// In one push, as CloudKit's `desiredKeys` of a subscription.
    static let additionalFields = 3
    /// Of one account; the oldest ends when one more is made.
    static let pushTokens = 50
    /// Shares of one zone; each save looks at all of them.
    static let sharesOfZone = 200
    /// In one request: what moves with a record that changes its parent, and is seen by others from then on or no longer.
    static let movedRecords = 5_000
    static let nameLength = 255
    static let uploadURLSeconds: Int64 = 15 * 60
    /// Receipts and unused assets live equally long, so no receipt outlives its bytes.
    static let receiptSeconds: Int64 = 60 * 60
    static let pushTokenSeconds: Int64 = 12 * 60 * 60
}
