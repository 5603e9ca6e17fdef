/// What to do about an error: every error has exactly one of these.
public enum ErrorReaction: Hashable, Sendable {
    /// The same again later. `after` is what the server asked for, and is never cut short; `nil` leaves it to the
    /// backoff.
    case retry(after: Duration?, pausing: Pause)
    /// Drop the sync token that was sent, and fetch from the beginning.
    case refetch
    /// Read the record as the server has it, then plan again: it may be done already, or be changed by somebody else.
    case lookUpAndMerge
    /// Send the batch as two halves: it is too big, or holds one item for which all are refused.
    case split
    /// What the request takes for granted is not on the server.
    case recreate(Missing)
    /// Keep it, say why, and wait for the person or for a change; everything else goes on.
    case hold(Hold)
    /// Only a new sign-in helps; where the server said it, there.
    case signIn(redirectURL: String?)
    /// There is nothing left to do: the server is as it was to become.
    case done

    /// What stops while waiting.
    public enum Pause: Hashable, Sendable {
        /// This one item or request.
        case item
        /// Everything that goes to this database: live throttles name the database (protocol §9).
        case database
    }

    /// What has to be made anew.
    public enum Missing: Hashable, Sendable, CaseIterable {
        /// The zone. Its tokens and system fields are void; its re-creation follows the rules for a vanished zone.
        case zone
        /// The record: forget its change tag.
        case record
        case subscription
        /// The push token and its courier.
        case pushToken
        /// The URL to send an asset to.
        case uploadURL
    }
}
