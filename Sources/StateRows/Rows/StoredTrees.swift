public import SyncModel

/// The three trees at one moment.
public struct StoredTrees: Sendable {
    /// Ordered by path.
    public var local: [LocalEntry] = []
    /// Live records, in no order.
    public var remote: [RemoteEntry] = []
    /// In no order.
    public var base: [BaseEntry] = []
    /// What happened to files that no tree tells, where anything did.
    public var provenance: [FolderPath: Provenance] = [:]
    /// Records that the server is known to have no longer, as long as the base has them.
    public var tombstones: Set<RecordName> = []
    /// What went out without a stored answer, for each record in the order of sending.
    public var sent: [SentVersion] = []

    package init(
        local: [LocalEntry] = [], remote: [RemoteEntry] = [], base: [BaseEntry] = [],
        provenance: [FolderPath: Provenance] = [:], tombstones: Set<RecordName> = [], sent: [SentVersion] = []
    ) {
        self.local = local
        self.remote = remote
        self.base = base
        self.provenance = provenance
        self.tombstones = tombstones
        self.sent = sent
    }
}
