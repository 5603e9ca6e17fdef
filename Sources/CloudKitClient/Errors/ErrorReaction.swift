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

/// Why something waits, and how it gets going again.
public enum Hold: Hashable, Sendable, CaseIterable {
    case noPermission
    case outOfStorage
    case tooLarge
    case missingFromSchema
    case notUnique
    case brokenReference
    case assetGone
    case refused
    case misconfigured
    case serverFault

    /// A sentence for `status`.
    public var reason: String {
        switch self {
        case .noPermission: "The account has no permission for this."
        case .outOfStorage: "The iCloud storage is full."
        case .tooLarge: "This is larger than the server takes."
        case .missingFromSchema: "The container's schema lacks this record type or field."
        case .notUnique: "Another record has the same value in a field that must be unique."
        case .brokenReference: "A reference points to a record that is not on the server, or that cannot go."
        case .assetGone: "The server no longer has this asset's bytes."
        case .refused: "The server does not accept this as it is."
        case .misconfigured: "The server does not know this address, container or operation."
        case .serverFault: "The server failed at this several times."
        }
    }

    /// What a person can do, as a sentence for `status`.
    public var remedy: String {
        switch self {
        case .noPermission: "Ask the owner for write access, or allow the app in the account's settings."
        case .outOfStorage: "Free or buy iCloud storage; deletions and downloads go on meanwhile."
        case .tooLarge: "Make the file smaller, or move large values into files of their own."
        case .missingFromSchema: "Import the schema that comes with zonefolder, in the CloudKit console or with cktool."
        case .notUnique: "Change the value in one of the records."
        case .brokenReference: "Add the file that is referred to, or remove the reference."
        case .assetGone: "Save the file on a device that has it."
        case .refused: "Mend the file; it goes through by itself then."
        case .misconfigured: "Check container, environment and server in config.toml, and the API token."
        case .serverFault: "It is tried again with the file's next change; `zonefolder sync` tries now."
        }
    }
}
