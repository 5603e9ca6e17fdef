public import SyncModel

/// A version of a record that went out to the server, and of which no answer is stored.
///
/// The server may have taken it: when it comes back from there, it is this device's own, and no conflict.
public struct SentVersion: Hashable, Sendable {
    /// What both sides agree on if the server took it; its change tag, its time of creation and the checksums of its assets
    /// mean nothing.
    public var entry: BaseEntry
    /// The JSON text that was sent; `nil` for a file record.
    public var document: [UInt8]?

    /// A version, with its text where it is a structured record.
    public init(entry: BaseEntry, document: [UInt8]?) {
        self.entry = entry
        self.document = document
    }
}
