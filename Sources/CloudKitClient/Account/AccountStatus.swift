public import CloudKitWire

/// Whether the account can be used: CKAccountStatus, read from `users/caller` (protocol §7.5, S1.11).
public enum AccountStatus: Hashable, Sendable {
    case available(userRecordName: String)
    /// Somebody else signed in: nothing may be sent until a person decides.
    case switched(from: String, to: String)
    /// Signed out: keep everything, queue edits, offer the sign-in page where the server named it.
    case noAccount(redirectURL: String?)
    /// Not allowed to use the service: keep everything and tell.
    case restricted(reason: String?)
    /// The question was not answered; that says nothing about the account. Ask again later, change nothing.
    case couldNotDetermine(reason: String)
    /// The account needs the person's attention: keep everything, add no work, ask again later.
    case temporarilyUnavailable(reason: String?)

    /// Reads the outcome of ``CloudKitDatabase/caller()``.
    /// - Parameter known: The user record name that the folder belongs to; `nil` before the first time.
    public init(_ outcome: Result<UserIdentity, CloudKitError>, known: String?) {
        switch outcome {
        case .success(let identity):
            if let known, !known.utf8.elementsEqual(identity.userRecordName.utf8) {
                self = .switched(from: known, to: identity.userRecordName)
            } else {
                self = .available(userRecordName: identity.userRecordName)
            }
        case .failure(let error): self.init(error)
        }
    }

    private init(_ error: CloudKitError) {
        switch (error.code, error.status) {
        case (.server(.authenticationFailed), _), (.server(.authenticationRequired), _), (.server, 401):
            self = .noAccount(redirectURL: error.redirectURL)
        case (.server(.accessDenied), _): self = .restricted(reason: error.reason)
        // Without a CloudKit code it may be any proxy's, as a 401 and a 421 may be.
        case (.server, 403): self = .restricted(reason: error.reason)
        case (.server, 421): self = .noAccount(redirectURL: error.redirectURL)
        case (.server, 503) where error.reason?.lowercased().contains("account") == true:
            self = .temporarilyUnavailable(reason: error.reason)
        default: self = .couldNotDetermine(reason: error.message)
        }
    }
}
