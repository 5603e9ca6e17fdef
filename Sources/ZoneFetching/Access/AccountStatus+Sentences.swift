public import CloudKitClient

extension AccountStatus {
    /// Whether requests make sense.
    var isUsable: Bool {
        if case .available = self { true } else { false }
    }

    /// The status in one word, as `status --json` has it.
    public var word: String {
        switch self {
        case .available: "available"
        case .switched: "switched"
        case .noAccount: "noAccount"
        case .restricted: "restricted"
        case .couldNotDetermine: "couldNotDetermine"
        case .temporarilyUnavailable: "temporarilyUnavailable"
        }
    }

    /// The server's sign-in page is not named: its address is good for some minutes, and `login` asks for a new one.
    static let signedOutSentence =
        "Nobody is signed in; edits are kept and go through later. Sign in: `zonefolder login`."

    /// Of a sign-in that is refused. Why it is, no server says, neither Apple's nor one of a person's own: a removed account
    /// looks like an ended session. `zonefolder login` tells the further way where the account is no more.
    static let endedSentence =
        "Nobody is signed in any more: the server refuses this folder's sign-in. It has ended, or the account or the API "
        + "token was removed there. Edits are kept and go through later. Sign in again: `zonefolder login`."

    /// As ``sentence(hasSignIn:)``, and what else helps at a server of one's own: who came by an invitation has no password
    /// there.
    /// - Parameter hasSignIn: Whether the folder has a sign-in.
    /// - Parameter isCopy: Whether the folder was copied, or put back from a backup, since the server was last asked.
    public func remedy(at server: String, hasSignIn: Bool, ofCopy isCopy: Bool = false) -> String? {
        guard case .noAccount = self, let said = sentence(hasSignIn: hasSignIn && !isCopy) else {
            return sentence(hasSignIn: hasSignIn)
        }
        let reason =
            isCopy ? "The folder was copied, or is from a backup: the sign-in in it is an older one, and used up. " : ""
        guard server != DatabaseAddress.appleBaseURL else { return reason + said }
        return reason + said
            + " Who came by an invitation asks for another one (`serve invite` on the server): `zonefolder login "
            + "--invitation LINK`."
    }

    /// What it means for the folder, and the way out.
    /// - Parameter hasSignIn: Whether the folder has a sign-in: a server gives one answer to a sign-in that it refuses and to
    ///   none.
    public func sentence(hasSignIn: Bool) -> String? {
        switch self {
        case .available: nil
        case .switched(let from, let to):
            "Another account (\(to)) is signed in than the one this folder belongs to (\(from)). Nothing is synced until "
                + "the first one signs in again."
        case .noAccount: hasSignIn ? Self.endedSentence : Self.signedOutSentence
        case .restricted(let reason):
            "The account may not use this container\(reason.map { " (\($0))" } ?? ""). Edits are kept and go through once "
                + "access is back."
        case .couldNotDetermine(let reason): "The server could not be asked: \(reason)"
        case .temporarilyUnavailable(let reason):
            "The account needs its owner's attention\(reason.map { " (\($0))" } ?? ""). Edits are kept meanwhile."
        }
    }
}
