/// Which of the tokens that were received is used next: the rule, without any waiting or writing.
///
/// The service may replace the web auth token with every answer and may void the old one at once, after a grace, or
/// never (protocol §2.1). With several requests under way, the order in which answers arrive says little about the
/// order in which their tokens were made. So:
/// - A token is followed only by one that came in answer to it: then each token that is used was made after the one
///   used before, and a server that voids older tokens with the first use of a newer one never voids the newest. As
///   long as the newest was not used, the token of a sibling request that was *sent later* takes its place.
/// - The other tokens of the last answers are kept, at most ``spareLimit``: where the guess was wrong, a refusal of
///   the newest is answered by trying those, and only when none is left the person has to sign in.
/// - A refusal of the newest decides nothing while a request that was sent with it has no answer: a server that enforces
///   single use took one of them, and that answer brings the token after it.
/// - A refused token is not used again, unless all of them were refused. Then nothing was learnt: the service may
///   refuse everybody for a while. The newest is the newest again, for an older one could be void for good before the
///   service comes back, and the spares are spares.
/// - A refusal of a token that was once good, where another one opens the door, proves that the server enforces single
///   use: from then on requests go one at a time (``isSerial``), which leaves nothing to guess.
struct TokenRotation {
    /// Tokens beside the newest. The service is known to honour a grace of one, so a few are plenty.
    static let spareLimit = 4

    private(set) var newest: WebAuthToken?
    private(set) var isSerial = false
    private var newestSequence: UInt64 = 0
    /// Whether a request carried the newest token.
    private var newestWasUsed = false
    /// Requests up to this one were sent before the last sign-in, perhaps for another account.
    private var signInSequence: UInt64 = 0
    private var spares: [WebAuthToken] = []
    private var refused: [WebAuthToken] = []
    /// Tokens that were the newest and refused, one after the other, since one was accepted.
    private var refusedInARow: [WebAuthToken] = []
    private var wasSerialBefore = false
    private(set) var lastSequence: UInt64 = 0
    /// Requests without an answer, with the tokens that they were sent with.
    private var underWay: [UInt64: WebAuthToken] = [:]

    /// Starts over with a token that a person's sign-in brought.
    mutating func reset(to token: WebAuthToken?) {
        newest = token
        newestWasUsed = false
        newestSequence = lastSequence
        signInSequence = lastSequence
        spares = []
        refused = []
        refusedInARow = []
    }

    /// A number for the request that is about to be sent with the newest token: later requests have greater ones.
    mutating func nextSequence() -> UInt64 {
        lastSequence += 1
        underWay[lastSequence] = newest
        newestWasUsed = true
        return lastSequence
    }

    /// Takes note that a request has its answer, or will never have one.
    mutating func ended(_ sequence: UInt64) {
        underWay[sequence] = nil
    }

    /// Takes the token that an answer brought to a request with another one; `true` where it is now the newest, and so
    /// has to be stored.
    mutating func received(
        _ token: WebAuthToken, toRequest sequence: UInt64, sentWith used: WebAuthToken?
    ) -> Bool {
        guard sequence > signInSequence, token != newest, !refused.contains(token) else { return false }
        guard used == newest || !newestWasUsed && sequence > newestSequence else {
            keepSpare(token)
            return false
        }
        if let newest { keepSpare(newest) }
        spares.removeAll { $0 == token }
        newest = token
        newestWasUsed = false
        newestSequence = sequence
        return true
    }

    /// Takes note that the server answered a request with this token and did not refuse it.
    mutating func accepted(_ token: WebAuthToken?) {
        if token == newest { refusedInARow = [] }
    }

    /// Whether it is too early to ask for a token instead of a refused one: an answer under way may bring it.
    /// - Parameter last: The last request that counts: those that are sent after a refusal prove nothing about it.
    func isUndecided(_ refused: WebAuthToken, ofRequest sequence: UInt64, upTo last: UInt64) -> Bool {
        sequence > signInSequence && refused == newest && spares.allSatisfy { $0 == refused }
            && underWay.contains { $0.key > signInSequence && $0.key <= last && $0.value == refused }
    }

    /// The token to try instead of a refused one, or `nil` where only a new sign-in helps.
    ///
    /// A request from before a sign-in is not repeated: what it carries may belong to the account before.
    mutating func replacement(forRefused token: WebAuthToken, ofRequest sequence: UInt64) -> WebAuthToken? {
        guard sequence > signInSequence else { return nil }
        if !refused.contains(token) { refused.append(token) }
        if refused.count > 16 { refused.removeFirst() }
        spares.removeAll { $0 == token }
        guard token == newest else {
            isSerial = true
            return newest
        }
        if refusedInARow.isEmpty { wasSerialBefore = isSerial }
        refusedInARow.append(token)
        guard let spare = spares.popLast() else {
            newest = refusedInARow.removeFirst()
            spares = refusedInARow.reversed()
            refusedInARow = []
            isSerial = wasSerialBefore
            return nil
        }
        isSerial = true
        newest = spare
        return spare
    }

    private mutating func keepSpare(_ token: WebAuthToken) {
        spares.removeAll { $0 == token }
        spares.append(token)
        if spares.count > Self.spareLimit { spares.removeFirst() }
    }
}
