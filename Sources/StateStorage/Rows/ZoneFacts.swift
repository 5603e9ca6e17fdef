/// How a zone vanished.
public enum ZoneLoss: String, Hashable, Sendable {
    /// Some device deleted it.
    case deleted
    /// The person removed the app's data.
    case purged
    /// The person reset what was encrypted end to end.
    case encryptedDataReset
    /// It did not vanish: `config.toml` names another one than before.
    case reconfigured
    case unknown
}

/// What is known of one zone.
public struct ZoneFacts: Hashable, Sendable {
    /// Whether a listing named a record of the base with the time of creation that was known before: a zone that was made
    /// anew may have records of the same names, and they are others.
    public enum Recognition: Int, Hashable, Sendable {
        /// An earlier listing broke off, and what it named cannot be compared any more.
        case impossible = -1
        case open = 0
        case done = 1
    }

    /// Covers exactly what is in the remote tree; `nil` before the first page.
    public var token: String?
    /// Whether the server said that the zone is there.
    public var created: Bool
    /// Whether changes are known to wait on the server.
    public var owed: Bool
    /// Whether a listing from the zone's beginning goes on; it continues at ``token`` after a crash.
    public var listing: Bool
    /// Whether such a listing has reached its end: only then is a record that is absent from the remote tree absent.
    public var complete: Bool
    /// Whether that listing showed that the zone is the one of the base.
    public internal(set) var recognition: Recognition
    /// Counts the listings from the zone's beginning.
    var listingNumber: Int64
    /// Counts the losses of the zone.
    public var incarnation: Int64
    /// How the zone vanished, until ``StateStore/settleLoss(of:)``.
    public var loss: ZoneLoss?

    /// What is known of a zone that was never heard of.
    public init() {
        created = false
        owed = false
        listing = false
        complete = false
        recognition = .open
        listingNumber = 0
        incarnation = 0
    }
}
