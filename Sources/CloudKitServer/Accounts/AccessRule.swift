import CloudKitWire

/// Who may call an operation at all (protocol §2).
///
/// What a caller may do with a record of the public database is another matter: its record type's grants say that.
enum AccessRule: Hashable {
    /// The public database: an API token is enough.
    case anyone
    /// Push tokens, which belong to an account: a person's or a server-to-server key's.
    case account
    /// The private and the shared database, and everything about users.
    case person

    /// - Throws: `AUTHENTICATION_REQUIRED` where a sign-in would help, `AUTHENTICATION_FAILED` to a server-to-server key,
    ///   which none can help.
    func check(_ caller: Caller) throws(ErrorDictionary) {
        switch (self, caller.identity) {
        case (.anyone, _), (_, .user), (.account, .serverKey): return
        case (.account, .world), (.person, .world): throw .needsSignIn(at: caller.signInURL)
        case (.person, .serverKey): throw .authenticationFailed
        }
    }
}

extension RequestTarget.Operation {
    /// Who may call it in a database.
    func access(in scope: DatabaseScope) -> AccessRule {
        if isToken { return .account }
        return scope == .public && !isAboutPeople ? .anyone : .person
    }
}
