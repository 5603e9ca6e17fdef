/// Why nothing is sent to a zone that the folder was synced with.
///
/// A zone that was deleted, purged by its user or reset with the encrypted data looks the same on the web (protocol §3.4).
public enum ZoneLoss: String, Hashable, Sendable, CaseIterable {
    /// The server has it no longer, or its owner shares it no longer. What was agreed on is kept: whether it is the same
    /// zone that comes back, the next whole listing shows.
    case missing
    /// As ``missing``, by the account's own wish: it took itself out of the share.
    case left
    /// A whole listing showed another zone of the same name. Sending waits until somebody else fills it, or for a person's
    /// word.
    case replaced
    /// It did not vanish: `config.toml` names another one than before. Only a person's word ends that.
    case reconfigured
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
    public package(set) var recognition: Recognition
    /// Counts the listings from the zone's beginning.
    package var listingNumber: Int64
    /// Counts the losses of the zone.
    public var incarnation: Int64
    /// Why nothing is sent to the zone.
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
