package import CloudKitClient
package import RemoteZone

/// Who is signed in as far as is known, and which answers about that count.
///
/// Nothing is fetched or sent without an account that can be used; what is known of it is asked for anew whenever a refusal may
/// be due to it (S1.10).
package final class SessionAccount {
    /// What the server said last; `nil` where it is to be asked.
    package private(set) var status: AccountStatus?
    /// Whether the question had a sign-in with it.
    private var hasSignIn = false
    /// The feed of the account's database, once that is known.
    package private(set) var feed: DatabaseFeed?
    /// Whether `config.toml` names another server than before, which may be the same one by another name: nothing that is known
    /// is acted on until its account tells.
    private(set) var isServerUnproven: Bool
    /// Whether it could not be used when it was last asked for.
    private var isLost = false
    private var credentials = CredentialChanges()

    package init(isServerUnproven: Bool) { self.isServerUnproven = isServerUnproven }

    // MARK: What is known

    /// Whether it is known, and can be used.
    package var isUsable: Bool { status?.isUsable == true }

    /// Whether it is known that it cannot be used, or nothing could be found out.
    package var isUnusable: Bool { status?.isUsable == false }

    /// Whether nothing goes on before a person has done something about it.
    package var needsPerson: Bool {
        switch status {
        case .noAccount, .restricted, .temporarilyUnavailable, .switched: true
        case nil, .available, .couldNotDetermine: false
        }
    }

    /// What that means for the folder, and the way out; `nil` where there is nothing to say.
    package var sentence: String? { status?.sentence(hasSignIn: hasSignIn) }

    /// As ``sentence``, with what else helps at this server.
    package func remedy(at server: String, ofCopy isCopy: Bool) -> String? {
        status?.remedy(at: server, hasSignIn: hasSignIn, ofCopy: isCopy)
    }

    // MARK: Answers

    /// Takes over what the server said.
    /// - Parameter hasSignIn: Whether the question had a sign-in with it.
    /// - Returns: Whether that is another answer than the last one, and whether the account can be used again after it could not.
    func take(_ answer: AccountStatus, hasSignIn: Bool) -> (isNew: Bool, isBack: Bool) {
        defer { (status, self.hasSignIn) = (answer, hasSignIn) }
        var isBack = false
        if case .available = answer { (isBack, isLost) = (isLost, false) }
        if case .couldNotDetermine = answer {} else if !answer.isUsable { isLost = true }
        return (answer != status, isBack)
    }

    /// Asks anew before anything else is done.
    package func doubt() { status = nil }

    /// The server is the one of before, or nothing is known of another one.
    func noteServerProven() { isServerUnproven = false }

    /// Takes over the feed of the account's database; `false` where that was known.
    func take(_ feed: DatabaseFeed) -> Bool {
        defer { self.feed = feed }
        return self.feed !== feed
    }

    // MARK: Credentials

    /// Counts the changes of the credentials: an answer to a question of another number says nothing of those of now.
    var generation: Int { credentials.generation }

    /// Whether an answer says nothing of the credentials of now, or there are none for certain.
    /// - Parameter generation: That of the question.
    func isStale(_ generation: Int) -> Bool { credentials.isStale(generation) }

    /// Begins a change of the credentials: no answer to those of now is believed any more.
    func beginChange() { credentials.begin() }

    /// Ends a change of the credentials; one that was given up leaves them as they were.
    func endChange(isGivenUp: Bool) {
        credentials.end(isGivenUp: isGivenUp)
        if !isGivenUp { doubt() }
    }
}
